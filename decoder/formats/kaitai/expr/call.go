package expr

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
)

// functions that -varview-value may call: they sum up bytes.
var functions = map[string]func(b []byte) Value{
	"crc32":   func(b []byte) Value { return Of(uint64(crc32.ChecksumIEEE(b))) },
	"adler32": func(b []byte) Value { return Of(uint64(adler32.Checksum(b))) },
	"md5":     func(b []byte) Value { s := md5.Sum(b); return Of(s[:]) },
	"sha1":    func(b []byte) Value { s := sha1.Sum(b); return Of(s[:]) },
	"sha256":  func(b []byte) Value { s := sha256.Sum256(b); return Of(s[:]) },
	"sum8":    func(b []byte) Value { return Of(sum(b) & 0xff) },
	"sum16":   func(b []byte) Value { return Of(sum(b) & 0xffff) },
	"sum32":   func(b []byte) Value { return Of(sum(b) & 0xffffffff) },
	"xor8": func(b []byte) Value {
		x := byte(0)
		for _, c := range b {
			x ^= c
		}
		return Of(int(x))
	},
	"crc16": func(b []byte) Value { return Of(uint64(crc16(b))) },
}

// Sums returns the names of the functions that sum up bytes to an integer.
func Sums() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if functions[name](nil).Kind == Int {
			names = append(names, name)
		}
	}
	return names
}

// Sum applies one of the functions that sum up bytes.
func Sum(name string, b []byte) Value { return functions[name](b) }

func sum(b []byte) (n uint64) {
	for _, c := range b {
		n += uint64(c)
	}
	return n
}

// crc16 is CRC-16/ARC, which is meant where a CRC-16 has no other name.
func crc16(b []byte) (crc uint16) {
	for _, c := range b {
		crc ^= uint16(c)
		for range 8 {
			crc = crc>>1 ^ crc&1*0xa001
		}
	}
	return crc
}

// A call is the call of a function with bytes: those of several arguments follow one another.
type call struct {
	name string
	args []Node
}

// call parses the arguments of a function.
func (p *parser) call(name string) Node {
	if functions[name] == nil {
		p.fail("there is no function %s; there are %s", name, strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
	}
	return &call{name, p.list(")")}
}

func (n *call) Eval(e Env) (Value, error) {
	var all []byte
	for _, arg := range n.args {
		v, err := arg.Eval(e)
		if err == nil && v.Kind == Str {
			v = Of([]byte(v.Text()))
		}
		if err == nil && v.Kind != Bytes {
			err = fmt.Errorf("%s is of bytes, not of %v", n.name, v.Kind)
		}
		if err != nil {
			return v, err
		}
		if all = append(all, v.Data()...); len(n.args) == 1 {
			all = v.Data()
		}
	}
	return functions[n.name](all), e.Spend(len(all))
}
