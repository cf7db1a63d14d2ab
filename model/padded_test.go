package model

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
)

// paddedText is a text without the zeros behind it.
func paddedText(s string) (text string, zeros int) {
	text = strings.TrimRight(s, "\x00")
	return text, len(s) - len(text)
}

// TestKeepsSize: a text that is filled up with zeros is edited as one without, and keeps its size as long as there are
// two zeros left; undo gives the bytes before.
func TestKeepsSize(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(7, 1))
	for range 60 {
		names := []string{"a", "b", "c", "d"}
		var text strings.Builder
		isIni := r.IntN(2) == 0
		value := func() string {
			n := fmt.Sprint(r.IntN(1 << r.IntN(30)))
			if isIni {
				return `"` + n + `"`
			}
			return n
		}
		if isIni {
			text.WriteString("[s]\r\n")
			for _, n := range names {
				fmt.Fprintf(&text, "%s=%s\r\n", n, value())
			}
		} else {
			text.WriteString(`{"s": {`)
			for i, n := range names {
				fmt.Fprintf(&text, "%s\"%s\": %s", []string{"", ", "}[min(i, 1)], n, value())
			}
			text.WriteString("}}")
		}
		zeros := 2 + r.IntN(40)
		was := text.String() + strings.Repeat("\x00", zeros)
		d, plain := openFile(t, write(t, []byte(was)), decoder.Options{}), openFile(t, write(t, []byte(text.String())), decoder.Options{})
		var kept []string
		for range 6 {
			path, literal := "$.s."+names[r.IntN(len(names))], value()
			do := func(tr *Transaction) error {
				n, err := tr.Reader().Resolve(path)
				if err != nil {
					return err
				}
				return tr.Set(ctx, n, edit.Content{Literal: literal}, edit.Options{})
			}
			if r.IntN(4) == 0 && len(names) > 1 {
				i := r.IntN(len(names))
				path, names = "$.s."+names[i], append(append([]string{}, names[:i]...), names[i+1:]...)
				do = func(tr *Transaction) error {
					n, err := tr.Reader().Resolve(path)
					if err != nil {
						return err
					}
					return tr.Delete(ctx, n, edit.Options{})
				}
			}
			before := held(t, d.Innermost())
			kept = append(kept, before)
			if d = doIntention(t, d, do); d.history.at < len(kept) { // nothing has changed
				kept = kept[:len(kept)-1]
			}
			plain = doIntention(t, plain, do)
			is, left := paddedText(held(t, d.Innermost()))
			if want := held(t, plain.Innermost()); is != want {
				t.Fatalf("%q\nwithout zeros %q", is, want)
			}
			if _, zeros := paddedText(before); zeros > 1 && len(is)+left != len(before) && (left != 1 || len(is)+left < len(before)) {
				t.Fatalf("%q of %d bytes became %q with %d zeros", before, len(before), is, left)
			}
		}
		for len(kept) > 0 {
			turn, err := d.Undo(ctx)
			must(t, err)
			if d = turn.Doc; held(t, d.Innermost()) != kept[len(kept)-1] {
				t.Fatalf("undo: %q, not %q", held(t, d.Innermost()), kept[len(kept)-1])
			}
			kept = kept[:len(kept)-1]
		}
	}
}

func doIntention(t *testing.T, d *Document, do func(*Transaction) error) *Document {
	t.Helper()
	buildIndex(t, d)
	p, err := d.Prepare(context.Background(), d.Innermost(), doing(do))
	must(t, err)
	turn, err := d.Make(context.Background(), p)
	if err == ErrNoChange {
		return d
	}
	must(t, err)
	return turn.Doc
}

// TestKeepsSizeWrapped: digits with zeros behind them keep the size of the file too, and bytes that are edited as such
// are left where they are put.
func TestKeepsSizeWrapped(t *testing.T) {
	ctx := context.Background()
	was := base64.StdEncoding.EncodeToString([]byte(`{"a":1}`)) + strings.Repeat("\x00", 52)
	d := openFile(t, write(t, []byte(was)), decoder.Options{})
	d = doIntention(t, d, func(tr *Transaction) error {
		n, err := tr.Reader().Resolve("$.a")
		must(t, err)
		return tr.Set(ctx, n, edit.Content{Literal: "12345678"}, edit.Options{})
	})
	is := written(t, d)
	if text, zeros := paddedText(is); len(is) != len(was) || zeros == 0 || text != base64.StdEncoding.EncodeToString([]byte(`{"a":12345678}`)) {
		t.Errorf("%q", is)
	}
	plain := openFile(t, write(t, []byte("{\"a\":1}\x00\x00\x00\x00")), decoder.Options{})
	buildIndex(t, plain)
	if plain = doPut(t, plain, 0, 5, 1, "23"); held(t, plain.Innermost()) != "{\"a\":23}\x00\x00\x00\x00" {
		t.Errorf("%q", held(t, plain.Innermost()))
	}
}

// written returns the bytes of a document's file once it is saved.
func written(t *testing.T, d *Document) string {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	must(t, err)
	defer out.Close()
	must(t, d.WriteTo(context.Background(), out, SaveOptions{}, nil))
	is, err := os.ReadFile(out.Name())
	must(t, err)
	return string(is)
}

// TestKeepsTrailer: zeros at the end of a game's own trailer are no filling, whatever becomes of the value before it.
func TestKeepsTrailer(t *testing.T) {
	const level = "The old mill by the river"
	godot := func(hero string) string {
		return string(cat(words(27, 3), text("hero"), text(hero), text("gold"), integer(1375), text("level"), text(level)))
	}
	json := func(hero string) string { return fmt.Sprintf(`{"hero": %q, "gold": 1375, "level": %q}`, hero, level) }
	u4 := func(n int) string { return string(words(uint32(n))) }
	for _, c := range []struct {
		name, path string
		body       func(hero string) string
	}{
		{"JSON", "$.hero", json},
		{"Godot", "$.hero", godot},
		{"stream", "$[0].hero", func(hero string) string {
			return u4(len(godot(hero))) + godot(hero) + u4(12) + string(text("end"))
		}},
		{"MessagePack", "$.hero", func(hero string) string {
			return "\x83\xa4hero" + string([]byte{0xa0 + byte(len(hero))}) + hero + "\xa4gold\xcd\x05\x5f\xa5level\xb9" + level
		}},
		{"zlib", "$.hero", json},
	} {
		for _, trailer := range []string{u4(12) + u4(0), "END\x00" + u4(0) + u4(0) + u4(0), u4(0)} {
			body := c.body("Brannoch")
			if c.name == "zlib" {
				var packed bytes.Buffer
				w := zlib.NewWriter(&packed)
				w.Write([]byte(body))
				w.Close()
				body = packed.String()
			}
			d := openFile(t, write(t, []byte("KRNL"+u4(len(body))+body+trailer)), decoder.Options{})
			for _, hero := range []string{"A", "Annabella of the Hills"} {
				d = doIntention(t, d, func(tr *Transaction) error {
					n, err := tr.Reader().Resolve(c.path)
					if err != nil { // the size of one value is that of a frame too
						n, err = tr.Reader().Resolve("$[0].hero")
					}
					must(t, err)
					return tr.Set(context.Background(), n, edit.Content{Literal: fmt.Sprintf("%q", hero)}, edit.Options{})
				})
				is := written(t, d)
				held := strings.TrimSuffix(is, trailer)[8:]
				if want := "KRNL" + u4(len(held)) + held + trailer; is != want {
					t.Errorf("%s before %x, %s: %q\nwant %q", c.name, trailer, hero, is, want)
				}
				if z, err := zlib.NewReader(strings.NewReader(held)); c.name == "zlib" && err == nil {
					plain, _ := io.ReadAll(z)
					held = string(plain)
				}
				if want := c.body(hero); held != want {
					t.Errorf("%s before %x: %q, want %q", c.name, trailer, held, want)
				}
			}
		}
	}
}
