package named

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// output collects what is written.
type output []byte

// WriteAt implements io.WriterAt.
func (o *output) WriteAt(b []byte, at int64) (int, error) {
	if need := int(at) + len(b); need > len(*o) {
		*o = append(*o, make([]byte, need-len(*o))...)
	}
	return copy((*o)[at:], b), nil
}

func u32(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

func frames(values ...string) (all []string) {
	for _, v := range values {
		all = append(all, u32(len(v))+v)
	}
	return all
}

// TestNames opens frames with names in each form, and writes others between the same names; more or fewer are refused.
func TestNames(t *testing.T) {
	names := []string{"META", "DATA", "TAIL"}
	for title, write := range map[string]func(name string) string{
		"four letters":      func(name string) string { return name },
		"a length of one":   func(name string) string { return "\x06" + name + "42" },
		"a length of two":   func(name string) string { return "\x06\x00" + name + "42" },
		"a length of four":  func(name string) string { return u32(6) + name + "42" },
		"names that differ": func(name string) string { return u32(len(name)+int(name[0]&7)) + name + "-------"[:name[0]&7] },
	} {
		file := func(values []string) (all string) {
			for i, v := range values {
				all += write(names[i]) + v
			}
			return all
		}
		was, is := frames("some value", "and another", "x"), frames("a value that is longer", "", "yz")
		is[1] = frames("o")[0]
		src := source.Bytes(file(was))
		l, err := layer.Open(context.Background(), Kind, src, span.Between(0, src.Size()), layer.Options{})
		if err != nil || l.Payload == nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		plain := make([]byte, l.Payload.Size())
		if l.Payload.ReadAt(plain, 0); string(plain) != strings.Join(was, "") {
			t.Errorf("%s: %q", title, plain)
		}
		var got output
		if _, err := l.Rewrap(context.Background(), source.Bytes(strings.Join(is, "")), nil, &got, 0, nil); err != nil || string(got) != file(is) {
			t.Errorf("%s: %q, want %q, %v", title, got, file(is), err)
		}
		for _, other := range []string{strings.Join(is[:2], ""), strings.Join(is, "") + is[0]} {
			if _, err := l.Rewrap(context.Background(), source.Bytes(other), nil, &got, 0, nil); err == nil || !strings.Contains(err.Error(), "more values now, or fewer") {
				t.Errorf("%s: %q: %v", title, other, err)
			}
		}
	}
}

// TestNoNames: frames without names, one frame, and names without frames are none.
func TestNoNames(t *testing.T) {
	f := frames("some value", "and another")
	for _, file := range []string{strings.Join(f, ""), "META" + f[0], "METADATA", "META" + f[0] + "DATA" + f[1][:9], "META" + f[0] + "D\x00TA" + f[1], ""} {
		src := source.Bytes(file)
		if Frames(src, span.Between(0, src.Size())) != nil {
			t.Errorf("%q is divided", file)
		}
	}
}
