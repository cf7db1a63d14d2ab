package wrap

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// memory is a file in memory.
type memory []byte

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	if end := int(off) + len(p); end > len(*m) {
		*m = append(*m, make([]byte, end-len(*m))...)
	}
	return copy((*m)[off:], p), nil
}

// A change replaces bytes.
type change struct {
	at, del int
	add     []byte
}

// apply returns the bytes after a change, and which of them are unchanged.
func (c change) apply(plain []byte) ([]byte, []Run) {
	after := slices.Concat(plain[:c.at], c.add, plain[c.at+c.del:])
	at, end := int64(c.at), int64(c.at+c.del)
	return after, []Run{run(0, 0, at), run(at+int64(len(c.add)), end, int64(len(plain))-end)}
}

// changes returns the changes that are tried on a payload of some size.
func changes(size int) map[string]change {
	all := map[string]change{
		"nothing":           {0, 0, nil},
		"everything":        {0, size, nil},
		"everything to one": {0, size, []byte{'G'}},
		"at the start":      {0, 0, []byte("GC")},
		"at the end":        {size, 0, []byte("PF")},
		"over a block":      {size, 0, mixed(5000, 7)},
		"to two blocks":     {size, 0, mixed(2*4096-size%4096, 8)},
		"a block before":    {0, 0, mixed(4096, 9)},
		"cut to two":        {min(2, size), size - min(2, size), nil},
	}
	if size > 2 {
		all["over the start"] = change{0, 1, []byte{0xfe}}
		all["over the middle"] = change{size / 2, 1, []byte{0xfd}}
		all["over the end"] = change{size - 1, 1, []byte{0xfc}}
		all["not the start"] = change{0, 1, nil}
		all["not the end"] = change{size - 1, 1, nil}
		all["into the middle"] = change{size / 2, 0, []byte("x")}
		all["zeros into the middle"] = change{size / 2, 0, make([]byte, 100)}
		all["half of it"] = change{size / 2, size - size/2, nil}
	}
	return all
}

// rewrap wraps plain again, and checks that it is written in the right place and opens again as it was.
func rewrap(t testing.TB, l *Layer, plain []byte, same []Run, o Options) []byte {
	t.Helper()
	const at = 5
	out := memory("12345")
	done := int64(0)
	n, err := l.Rewrap(context.Background(), source.Bytes(plain), same, &out, at, func(is, all int64) {
		if is < done || is > all || all != int64(len(plain)) {
			t.Errorf("%d of %d after %d", is, all, done)
		}
		done = is
	})
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(len(out))-at || string(out[:at]) != "12345" || done != int64(len(plain)) {
		t.Fatalf("%d bytes from %d to %d, %d of %d are done", n, at, len(out), done, len(plain))
	}
	data := []byte(out[at:])
	again := open(t, l.Kind, data, o)
	if got := payload(t, again); !bytes.Equal(got, plain) {
		t.Fatalf("%d bytes are read back, not %d: %q", len(got), len(plain), data[:min(len(data), 1500)])
	}
	return data
}

// A wrappedFile is a real file with its options.
type wrappedFile struct {
	name string
	kind Kind
	data []byte
	Options
}

// wrappedFiles are all real files.
func wrappedFiles(t testing.TB) (all []wrappedFile) {
	for _, c := range realFiles {
		all = append(all, wrappedFile{c.name, c.kind, load(t, c.name), options(t, c.key, c.password)})
	}
	names, err := filepath.Glob("../../testdata/wrapped/*.b*")
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		kinds := Sniff(source.Bytes(data), span.Between(0, int64(len(data))), "")
		if len(kinds) == 0 {
			t.Fatal(name)
		}
		all = append(all, wrappedFile{filepath.Base(name), kinds[0], data, truth(t, name)})
	}
	return all
}

// truth returns the key or password from the file's truth.
func truth(t testing.TB, name string) Options {
	b, err := os.ReadFile(strings.TrimSuffix(name, filepath.Ext(name)) + ".truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Key      any
		Password string
	}
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	key, _ := truth.Key.(string)
	return options(t, key, truth.Password)
}

// TestRewrap: whatever the change, what is wrapped again is read back; without a change it is the same,
// except for the start value of Godot 4's encryption and for rows of unusual width.
func TestRewrap(t *testing.T) {
	for _, f := range wrappedFiles(t) {
		l := open(t, f.kind, f.data, f.Options)
		if err := l.CanRewrap(); err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		plain := payload(t, l)
		for name, c := range changes(len(plain)) {
			t.Run(f.name+", "+name, func(t *testing.T) {
				after, same := c.apply(plain)
				got := rewrap(t, l, after, same, f.Options)
				again := open(t, f.kind, got, f.Options)
				if found := problems(t, again, got); len(found) > 0 {
					t.Error(found)
				}
				switch {
				case f.kind == GDEC:
					checkGDEC(t, got, l, f.data, f.Options, after)
				case f.kind == GCPF:
					checkGCPF(t, got, f.data, after, same)
				}
				if name == "nothing" && f.name != "z-autoskip.xxd" && (f.kind != GDEC || l.Generation == 3) && !bytes.Equal(got, f.data) {
					t.Errorf("%s became %s", hex.EncodeToString(f.data), hex.EncodeToString(got))
				}
			})
		}
	}
}

// TestRewrapBehind: bytes after the end of a wrapper stay, as do those before it in its source.
func TestRewrapBehind(t *testing.T) {
	plain := mixed(1000, 3)
	for kind, data := range map[Kind][]byte{GCPF: gcpfOf(plain, 256, 4), GDEC: gdecOf(t, 4, plain), Zlib: zlibOf(plain)} {
		src := slices.Concat([]byte("before"), data, []byte("behind"))
		region := span.Between(6, int64(len(src)))
		l, err := Open(context.Background(), kind, source.Bytes(src), region, password("x"))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if kind == GDEC && l.Checksum() != Matches {
			t.Fatal(l.Checksum())
		}
		after, same := change{500, 3, []byte("changed")}.apply(plain)
		got := rewrap(t, l, after, same, password("x"))
		if !bytes.HasSuffix(got, []byte("behind")) || bytes.Contains(got, []byte("before")) {
			t.Errorf("%v: ends in %q", kind, got[len(got)-20:])
		}
	}
}

// TestCannotRewrap: what would lose something, or is impossible, is refused.
func TestCannotRewrap(t *testing.T) {
	plain := mixed(1000, 3)
	gcpf, deflated := gcpfOf(plain, 256, 4), zlibOf(plain)
	three := gdecOf(t, 3, plain[:990]) // 2 bytes of padding tell nothing
	few := gdecOf(t, 3, mixed(48, 8))  // which could as well be noise
	for _, c := range []struct {
		name string
		kind Kind
		data []byte
		o    Options
		want string
	}{
		{"no key", GDEC, gdecOf(t, 4, plain), Options{MaxUnpacked: 1 << 20}, "give its password or its key"},
		{"wrong key", GDEC, gdecOf(t, 4, plain), password("y"), "the key or password may be wrong"},
		{"wrong key, no padding", GDEC, three, password("y"), "the key or password may be wrong"},
		{"few damaged bytes, no padding", GDEC, put(few, 40, few[40]^1), password("x"), "the key or password may be wrong"},
		{"other magic", GCPF, put(gcpf, 0, 'g', 'c'), Options{MaxUnpacked: 1 << 20}, "do not begin with GCPF"},
		{"unknown mode", GCPF, put(put(gcpf, 4, 9), 32, 0, 0), Options{MaxUnpacked: 1 << 20}, "mode 9 does not exist"},
		{"GCPF cut", GCPF, gcpf, Options{MaxUnpacked: 999}, "only the beginning is unpacked"},
		{"GDEC cut", GDEC, three, Options{MaxUnpacked: 900, Key: PasswordKey("x")}, "only the beginning is unpacked"},
		{"zlib cut", Zlib, deflated, Options{MaxUnpacked: 999}, "only the beginning is unpacked"},
		{"hex cut", Hex, []byte(hex.EncodeToString(plain)), Options{MaxUnpacked: 999}, "only the beginning is unpacked"},
		{"zlib damaged", Zlib, put(deflated, len(deflated)/2, 0xff, 0xff, 0xff, 0xff, 0xff), Options{MaxUnpacked: 1 << 20}, "the stream is damaged"},
	} {
		l := open(t, c.kind, c.data, c.o)
		if err := l.CanRewrap(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if n, err := l.Rewrap(context.Background(), source.Bytes(plain), nil, &memory{}, 0, nil); err == nil || n != 0 {
			t.Errorf("%s is wrapped again", c.name)
		}
	}
}

// TestRewrapCancelled: every kind stops when it is cancelled, and says which bytes are missing.
func TestRewrapCancelled(t *testing.T) {
	plain := mixed(1000, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for kind, data := range map[Kind][]byte{
		GCPF: gcpfOf(plain, 256, 4), GDEC: gdecOf(t, 4, plain), Zlib: zlibOf(plain),
		Hex: []byte(hex.EncodeToString(plain)), Base64: load(t, "z.base64"),
	} {
		l := open(t, kind, data, password("x"))
		if _, err := l.Rewrap(ctx, source.Bytes(plain), nil, &memory{}, 0, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", kind, err)
		}
		lacks := holey{plain, span.Span{Offset: 300, Length: 10}}
		_, err := l.Rewrap(context.Background(), lacks, nil, &memory{}, 0, nil)
		if !errors.Is(err, errDamaged) {
			t.Errorf("%v: %v", kind, err)
		}
		full := errors.New("disk full")
		_, err = l.Rewrap(context.Background(), source.Bytes(plain), nil, failing{full}, 0, nil)
		if !errors.Is(err, full) {
			t.Errorf("%v: %v", kind, err)
		}
	}
}

// failing is a disk that takes nothing.
type failing struct{ err error }

func (f failing) WriteAt(p []byte, off int64) (int, error) { return 0, f.err }
