package model

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
)

// TestSumsOfSums: a checksum is computed after those that it includes, in whatever order they are, also in texts, and of what it is in.
func TestSumsOfSums(t *testing.T) {
	ctx := context.Background()
	hash := func(text string) string { return fmt.Sprintf("%x", md5.Sum([]byte(text))) }
	object := func(order string, members map[byte]string) string {
		var all []string
		for _, name := range []byte(order) {
			all = append(all, fmt.Sprintf(`"%s": %s`, map[byte]string{'d': "data", 'm': "md5", 's': "sig", 'i': "save"}[name], members[name]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	data := func(n int) string { return fmt.Sprintf(`{"a": %d, "name": "Ann"}`, n) }
	inner := func(order string, n int) string {
		return object(order, map[byte]string{'d': data(n), 'm': strconv.Quote(hash(data(n)))})
	}
	saves := map[string]func(n int) string{}
	for _, order := range []string{"sdm", "smd", "dms", "dsm", "mds", "msd"} {
		saves["sig of md5 in "+order] = func(n int) string {
			sig := fmt.Sprintf("%x", sha1.Sum([]byte(hash(data(n)))))
			return object(order, map[byte]string{'d': data(n), 'm': strconv.Quote(hash(data(n))), 's': strconv.Quote(sig)})
		}
	}
	for _, outer := range []string{"mi", "im"} {
		for _, order := range []string{"md", "dm"} {
			saves[outer+" around "+order] = func(n int) string {
				return object(outer, map[byte]string{'i': inner(order, n), 'm': strconv.Quote(hash(inner(order, n)))})
			}
			saves[outer+" around a text "+order] = func(n int) string {
				return object(outer, map[byte]string{'i': strconv.Quote(inner(order, n)), 'm': strconv.Quote(hash(inner(order, n)))})
			}
		}
	}
	u32 := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	framed := func(v string) string { return u32(len(v)) + v }
	for _, order := range []string{"vh", "hv"} {
		saves["values with a hash in "+order] = func(n int) string {
			v := u32(27) + u32(1) + u32(4) + u32(1) + "a\x00\x00\x00" + u32(2) + u32(n)
			h := u32(4) + u32(32) + hash(v)
			return map[string]string{"vh": framed(v) + framed(h), "hv": framed(h) + framed(v)}[order]
		}
	}
	for layout, write := range map[string]func(n int, sum string) string{
		"in one line": func(n int, sum string) string {
			return fmt.Sprintf(`{"_meta":{%s"version":2},"data":%s}`, sum, strings.ReplaceAll(data(n), " ", ""))
		},
		"with tabs": func(n int, sum string) string {
			if sum != "" {
				sum = ",\n\t" + strings.TrimSuffix(strings.Replace(sum, ":", ": ", 1), ",")
			}
			return fmt.Sprintf("{\n\t\"data\": {\n\t\t\"a\": %d,\n\t\t\"name\": \"Ann\"\n\t}%s\n}", n, sum)
		},
	} {
		saves["the rest "+layout] = func(n int) string { return write(n, fmt.Sprintf(`"checksum":"%s",`, hash(write(n, "")))) }
		saves["the rest and an empty text "+layout] = func(n int) string {
			return write(n, fmt.Sprintf(`"checksum":"%s",`, hash(write(n, `"checksum":"",`))))
		}
	}
	crc := func(n int) uint32 { return crc32.ChecksumIEEE([]byte(data(n))) }
	saves["a CRC-32 in digits as a text"] = func(n int) string {
		return fmt.Sprintf(`{"data": %s, "crc": "%d"}`, data(n), crc(n))
	}
	saves["a CRC-32 in digits beside a text"] = func(n int) string {
		return fmt.Sprintf(`{"data": %s, "crc": "%d"}`, strconv.Quote(data(n)), crc(n))
	}
	for name, save := range saves {
		d := openFile(t, write(t, []byte(save(1))), decoder.Options{})
		x, err := d.Begin(d.Innermost())
		must(t, err)
		path := "$.data.a"
		switch {
		case strings.Contains(name, "around"):
			path = "$.save.data.a"
		case strings.HasSuffix(name, "vh"):
			path = "$[0].a"
		case strings.HasSuffix(name, "hv"):
			path = "$[1].a"
		}
		_, err = x.SetWithin(ctx, path, "12345", edit.Options{})
		must(t, err)
		sums, err := x.Follow(ctx)
		must(t, err)
		d, err = x.Commit(ctx, "", Cursor{}, Cursor{})
		must(t, err)
		if got, want := held(t, d.Innermost()), save(12345); got != want || len(sums) != max(1, strings.Count(want, "md5")+strings.Count(want, "crc")+strings.Count(want, "sig")) {
			t.Errorf("%s: %d checksums\n%s\nnot\n%s", name, len(sums), got, want)
		}
		d.Close()
	}
}
