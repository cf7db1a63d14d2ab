package model

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/aes"
	"crypto/md5"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/decoder/wrap"
	crypt "varview/decoder/wrap/gdec"
	"varview/model/bytesize"
)

func reopen(t testing.TB, d *Document, changes ...Change) *Document {
	t.Helper()
	again, err := d.Reopen(context.Background(), new(Progress), changes...)
	must(t, err)
	t.Cleanup(func() { again.Close() })
	return again
}

// titles are what the buffers of a document are called.
func titles(d *Document) string {
	var all []string
	for _, b := range d.Buffers {
		all = append(all, b.Title())
	}
	return strings.Join(all, ", ")
}

func TestTitles(t *testing.T) {
	for name, want := range map[string]string{
		"elephant/v1-5-1-export-savegame.txt":       "base64, zlib, Elephant 1.5.1",
		"wrapped/godot4-gcpf-brotli-small.bin":      "GCPF Brotli, Godot 4",
		"wrapped/godot3-encrypted-pass-small.bin":   "GDEC, Godot 3",
		"wrapped/godot4-base64-dictionary.b64":      "base64, Godot 4",
		"elephant/v1-0-0-savegame-player.bin":       "Elephant 1.0.0",
		"elephant/corrupt/ctor-verbose-bit-set.bin": "Elephant 1.5.1",
	} {
		if got := titles(openReal(t, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// An encrypted file opens as it is; what is given opens it, and stays given.
func TestPassword(t *testing.T) {
	locked := openFile(t, repoFile("wrapped/godot4-gdec-pass-small.bin"), decoder.Options{})
	if !locked.IsLocked() || !locked.IsEncrypted() || locked.Missing.Code != wrap.NeedsKey || titles(locked) != "GDEC" {
		t.Errorf("%+v: %s", locked.Missing, titles(locked))
	}
	wrong := reopen(t, locked, WithPassword(""))
	if !wrong.IsLocked() || wrong.Missing.Code != wrap.WrongKey {
		t.Errorf("%+v", wrong.Missing)
	}
	opened := reopen(t, wrong, WithPassword("hunter2"))
	if opened.IsLocked() || titles(opened) != "GDEC, Godot 4" {
		t.Errorf("%+v: %s", opened.Missing, titles(opened))
	}
	again, err := reopen(t, opened, As("godot4", "stream")).Reload(context.Background(), nil)
	must(t, err)
	defer again.Close()
	if again.IsLocked() || again.Framing != "stream" || again.Confidence != decoder.Given {
		t.Errorf("reloaded: %+v, %s %s", again.Missing, again.Framing, again.Confidence)
	}
	if keys := secret(t, repoFile("wrapped/godot4-gdec-key-small.bin")).Keys; len(keys) == 1 {
		locked := openFile(t, repoFile("wrapped/godot4-gdec-key-small.bin"), decoder.Options{})
		if d := reopen(t, reopen(t, locked, WithPassword("x")), WithKey(keys[0])); d.IsLocked() {
			t.Error("the key does not open it")
		}
	}
	plain := openReal(t, "elephant/v1-5-1-struct-plain.bin")
	if plain.IsLocked() || plain.IsEncrypted() {
		t.Error("a plain file is encrypted")
	}
}

// What takes too long to unpack is put off, and done when the document is opened
// again.
func TestDeferred(t *testing.T) {
	path := repoFile("elephant/v1-5-1-export-savegame.txt")
	doc := openFile(t, path, decoder.Options{Defer: 100})
	if !doc.IsDeferred() || doc.IsLocked() || titles(doc) != "base64" {
		t.Errorf("%+v: %s", doc.Missing, titles(doc))
	}
	p := new(Progress)
	opened, err := doc.Reopen(context.Background(), p)
	must(t, err)
	defer opened.Close()
	if opened.Missing != nil || titles(opened) != "base64, zlib, Elephant 1.5.1" {
		t.Errorf("%+v: %s", opened.Missing, titles(opened))
	}
	if share := p.Share(); share <= 0 || share > 1 {
		t.Errorf("progress %v", share)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := doc.Reopen(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Of a large capture the first messages are there at once, and more each time that it is opened
// further, until all are; nothing is edited before that.
func TestUnfinished(t *testing.T) {
	path := repoFile("captures/mp-enet-norelay.pcap")
	all := openFile(t, path, decoder.Options{}).Innermost()
	doc := openFile(t, path, decoder.Options{Defer: 4096 * 3000})
	before := int64(0)
	for steps := 0; doc.IsUnfinished(); steps++ {
		if size := doc.Innermost().Size(); !doc.IsDeferred() || size <= before || size >= all.Size() || steps == 4 {
			t.Fatalf("step %d: %d bytes of %d, after %d", steps, size, all.Size(), before)
		}
		before = doc.Innermost().Size()
		if _, err := doc.Begin(doc.Innermost()); err == nil {
			t.Error("it can be edited")
		}
		n, err := doc.Innermost().Resolve("$.messages[9].args[0]")
		must(t, err)
		is, err := all.Resolve("$.messages[9].args[0]")
		must(t, err)
		if n.Start != is.Start || n.End != is.End {
			t.Errorf("the value is at %v, not %v", n.Value, is.Value)
		}
		if packets := doc.Buffers[0].Size(); packets != 54699 {
			t.Errorf("the file has %d bytes", packets)
		}
		doc = reopen(t, doc, doc.Further())
	}
	if before == 0 || doc.IsDeferred() || doc.Innermost().Size() != all.Size() {
		t.Errorf("%d bytes of %d, after %d", doc.Innermost().Size(), all.Size(), before)
	}
	_, err := doc.Begin(doc.Innermost())
	must(t, err)
}

// Schemas are added to those there are, and read again.
func TestAddedSchemas(t *testing.T) {
	path := write(t, read(t, "elephant/v1-5-1-ctor-three-versions.bin"))
	doc := openFile(t, path, decoder.Options{})
	n, err := doc.Innermost().Resolve("$")
	must(t, err)
	if n.Damage == nil || n.Damage.Code != span.MissingSchema || n.Count > 0 {
		t.Error("nothing lacks a schema")
	}
	gml := filepath.Join(t.TempDir(), "mine.gml")
	must(t, os.WriteFile(gml, read(t, "elephant/schemas-basic.gml"), 0o600))
	with, err := doc.AddSchemas(context.Background(), nil, gml)
	must(t, err)
	defer with.Close()
	if n, err := with.Innermost().Resolve("$.name"); err != nil || with.Notices != nil {
		t.Error(n, err, with.Notices)
	}
	// A second one goes before the first, which stays.
	other := filepath.Join(t.TempDir(), "other.gml")
	must(t, os.WriteFile(other, []byte("function Other() constructor {\n"), 0o600))
	both := reopen(t, with, withSchemas(other))
	if _, err := both.Innermost().Resolve("$.name"); err != nil || len(both.Notices) != 1 || !strings.Contains(both.Notices[0].Error(), "other.gml:1:") {
		t.Error(err, both.Notices)
	}
	for _, useless := range []string{filepath.Join(t.TempDir(), "none.gml"), t.TempDir(), other} {
		if _, err := doc.AddSchemas(context.Background(), nil, useless); err == nil {
			t.Errorf("%s was of use", useless)
		}
	}
	must(t, os.Remove(gml))
	again, err := both.Reload(context.Background(), nil)
	must(t, err)
	defer again.Close()
	if _, err := again.Innermost().Resolve("$.name"); err == nil || len(again.Notices) != 2 {
		t.Error("a schema that is gone is used", again.Notices)
	}
}

// Documents share the file until the last is closed, whichever that is.
func TestDocumentsShareTheFile(t *testing.T) {
	first, err := OpenInput(context.Background(), bytes.NewReader(read(t, "wrapped/godot4-gcpf-brotli-small.bin")), Options{})
	must(t, err)
	second, err := first.Reopen(context.Background(), nil, As("godot3", ""))
	must(t, err)
	must(t, first.Close())
	must(t, first.Close())
	for _, b := range second.Buffers {
		must(t, b.Index(context.Background()))
	}
	if _, err := first.Innermost().Resolve("$"); !errors.Is(err, errClosed) {
		t.Errorf("a closed document is read: %v", err)
	}
	if err := first.Innermost().Index(context.Background()); !errors.Is(err, errClosed) {
		t.Errorf("a closed document is indexed: %v", err)
	}
	if _, err := first.Reopen(context.Background(), nil); !errors.Is(err, errClosed) {
		t.Errorf("a closed document is opened anew: %v", err)
	}
	must(t, second.Close())
	if _, err := first.file.file.ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("the file is still open")
	}
}

// A document is closed when the work on it is done.
func TestCloseWaitsForWork(t *testing.T) {
	doc := openReal(t, "wrapped/godot4-gcpf-brotli-small.bin")
	done, err := doc.Use()
	must(t, err)
	closed := make(chan error)
	go func() { closed <- doc.Close() }()
	select {
	case <-closed:
		t.Error("closed while it was used")
	default:
	}
	done()
	must(t, <-closed)
}

// The next problem can be in another buffer, and in the end each was met.
func TestProblemsOfAllBuffers(t *testing.T) {
	var text bytes.Buffer
	z := zlib.NewWriter(&text)
	_, err := z.Write(read(t, "elephant/corrupt/ref-forward.bin"))
	must(t, err)
	must(t, z.Close())
	packed := base64.StdEncoding.EncodeToString(append(text.Bytes(), "behind"...))
	doc := openFile(t, write(t, []byte(packed)), decoder.Options{})
	if titles(doc) != "base64, zlib, Elephant 1.5.1" {
		t.Fatal(titles(doc))
	}
	buildIndex(t, doc)
	var counts []int
	for _, b := range doc.Buffers {
		counts = append(counts, b.ProblemCount(span.Note))
	}
	if !slices.Equal(counts, []int{0, 1, 1}) || doc.ProblemCount(span.Note) != 2 {
		t.Fatalf("problems %v", counts)
	}
}

// A checksum that takes long is verified before the wrapper is indexed, which
// then tells of it.
func TestLargeChecksum(t *testing.T) {
	if testing.Short() {
		t.Skip("decrypts 65 MiB")
	}
	const size = 65 << 20
	head := append([]byte("GDEC"), make([]byte, 16)...) // no checksum of what follows
	head = binary.LittleEndian.AppendUint64(head, size)
	plain := append(words(tPackedByte, size-8), make([]byte, size-8)...)
	path := write(t, append(head, encrypted(t, "x", plain)...))
	doc := openFile(t, path, decoder.Options{Passwords: []string{"x"}})
	if titles(doc) != "GDEC, "+doc.Title || doc.Layers[0].Checksum() != wrap.Unknown {
		t.Fatalf("%s, checksum %v", titles(doc), doc.Layers[0].Checksum())
	}
	if share, done := doc.Indexed(); done || share > 0.1 {
		t.Errorf("%v of it is done", share)
	}
	must(t, doc.Buffers[0].Index(context.Background()))
	if doc.Buffers[0].ProblemCount(span.Error) == 0 {
		t.Error("no problem")
	}
}

// encrypted is what a GDEC holds behind its length: an initialization vector, and
// blocks in cipher feedback mode (FileAccessEncrypted of Godot 4).
func encrypted(t testing.TB, password string, plain []byte) []byte {
	t.Helper()
	block, err := aes.NewCipher(crypt.PasswordKey(password))
	must(t, err)
	const size = aes.BlockSize
	plain = append(plain, make([]byte, -len(plain)&(size-1))...)
	all := make([]byte, size+len(plain))
	for i := 0; i < len(plain); i += size {
		block.Encrypt(all[i+size:], all[i:i+size])
		subtle.XORBytes(all[i+size:i+2*size], all[i+size:i+2*size], plain[i:i+size])
	}
	return all
}

// gdec encrypts bytes as Godot 4 does.
func gdec(t testing.TB, password string, plain []byte) []byte {
	t.Helper()
	sum := md5.Sum(plain)
	head := append([]byte("GDEC"), sum[:]...)
	head = binary.LittleEndian.AppendUint64(head, uint64(len(plain)))
	return append(head, encrypted(t, password, plain)...)
}

// Each encrypted layer has a password of its own: what opened one stays given, and
// the next asks without calling it wrong.
func TestPasswordsOfSeveralLayers(t *testing.T) {
	inner := dictionary(text("name"), text("Ann"))
	path := write(t, gdec(t, "outer", gdec(t, "inner", inner)))
	doc := openFile(t, path, decoder.Options{})
	for _, step := range []struct{ password, titles, missing string }{
		{"x", "GDEC", wrap.WrongKey},
		{"outer", "GDEC, GDEC", wrap.NeedsKey},
		{"y", "GDEC, GDEC", wrap.WrongKey},
		{"inner", "GDEC, GDEC, Godot 4", ""},
	} {
		doc = reopen(t, doc, WithPassword(step.password))
		missing := ""
		if why := doc.WhyMissing(); why != nil {
			missing = why.Code
		}
		if titles(doc) != step.titles || missing != step.missing {
			t.Errorf("%s: %s, %q; want %s, %q", step.password, titles(doc), missing, step.titles, step.missing)
		}
	}
	if given := doc.options.Passwords; !slices.Equal(given, []string{"outer", "inner"}) {
		t.Errorf("kept %q", given)
	}
	first := openFile(t, path, decoder.Options{Passwords: []string{"outer"}})
	if !first.IsLocked() || first.WhyMissing().Code != wrap.NeedsKey {
		t.Errorf("%+v", first.WhyMissing())
	}
	again, err := doc.Reload(context.Background(), nil)
	must(t, err)
	defer again.Close()
	if again.Missing != nil {
		t.Errorf("reloaded: %+v", again.Missing)
	}
}

// What was wrong with a file of schemas is told when it is loaded, and not again
// with the next.
func TestSchemaNoticesAreOfTheLastLoad(t *testing.T) {
	doc := openFile(t, write(t, read(t, "elephant/v1-5-1-ctor-three-versions.bin")), decoder.Options{})
	gml := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	ctx := context.Background()
	if _, err := doc.AddSchemas(ctx, nil, gml("bad.gml", "function Monster() constructor {\n ELEPHANT_SCHEMA { v3 : {")); err == nil || !strings.Contains(err.Error(), "bad.gml:") {
		t.Errorf("bad: %v", err)
	}
	partly, err := doc.AddSchemas(ctx, nil, gml("partly.gml", "function Other() constructor { ELEPHANT_SCHEMA { v1 : { a : buffer_u8 } } }\nfunction Open() constructor {"))
	must(t, err)
	defer partly.Close()
	if len(partly.Notices) != 1 || !strings.Contains(partly.Notices[0].Error(), "partly.gml:2:") {
		t.Errorf("partly: %v", partly.Notices)
	}
	good, err := partly.AddSchemas(ctx, nil, gml("good.gml", string(read(t, "elephant/schemas-basic.gml"))))
	must(t, err)
	defer good.Close()
	if good.Notices != nil || len(good.options.GML) != 2 {
		t.Errorf("good: %v with %v", good.Notices, good.options.GML)
	}
	if _, err := good.Innermost().Resolve("$.name"); err != nil {
		t.Error(err)
	}
	if as := reopen(t, good, As("elephant-1.5.0", "")); as.Notices != nil {
		t.Errorf("told again: %v", as.Notices)
	}
}

// More is unpacked where the limit has cut.
func TestMaxUnpacked(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(read(t, "elephant/v1-5-1-savegame-player.bin"))
	must(t, err)
	must(t, z.Close())
	for name, data := range map[string][]byte{
		"zlib": packed.Bytes(),
		"GCPF": read(t, "wrapped/godot4-gcpf-brotli-multi-block.bin"),
		"GDEC": gdec(t, "x", dictionary(text("name"), text("Ann"), text("level"), integer(7))),
	} {
		doc := openFile(t, write(t, data), decoder.Options{MaxUnpacked: 32, Passwords: []string{"x"}})
		buildIndex(t, doc)
		if !doc.IsCut() {
			t.Errorf("%s: not cut: %s %+v", name, titles(doc), doc.Missing)
		}
		more := reopen(t, doc, WithMaxUnpacked(1<<20))
		buildIndex(t, more)
		if more.IsCut() || more.Missing != nil {
			t.Errorf("%s: still cut: %+v", name, more.Missing)
		}
	}
}

func TestParseByteSize(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "500000": 500000, "64M": 64 << 20, "2G": 2 << 30, "2gib": 2 << 30, "1 Ki": 1024, "3T": 3 << 40,
		"": 0, "0": 0, "-1": 0, "M": 0, "1.5G": 0, "2X": 0, "99999999T": 0, "0x10": 0} {
		if got, err := bytesize.Parse(s); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v; want %d", s, got, err, want)
		}
	}
}
