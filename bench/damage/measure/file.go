// Package measure damages files in every way that the benchmark asks for, and
// judges the program's diagnosis of each: whether the damage is reported, whether
// with its true cause, and whether the repair restores the file. Readers that share
// no code with the program's determine what the engine makes of a damaged file.
package measure

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/internal/elephantref"
	"varview/internal/variantref"
)

// A File is an undamaged file, and what is known of it.
type File struct {
	Name      string
	Data      []byte
	Dialect   string // of the engine that wrote it
	Framing   string
	BigEndian bool
	Wrappers  []string
	Fields    []Field // of the file's own bytes

	locked     decoder.Options // key, password and schemas
	key        []byte
	generation int // of GDEC
	schemas    elephantref.Schemas
	whole      *variantref.Reading // of the file as it is
	reading    *reading
	inner      [][]byte         // the bytes of each buffer
	before     map[bool]*Answer // diagnoses in the undamaged file, dialect given or not
}

// A Field is one of the file's own, with the spans around it.
type Field struct {
	span.Field
	Path   string
	Owner  span.Span // the value that contains it
	Parent span.Span

	IsLeaf                bool   // no other value is in the owner
	OwnerPath, ParentPath string // without "@key"
}

// isStructural reports whether the field says what other bytes are.
func (f *Field) isStructural() bool {
	switch f.Kind {
	case span.Value, span.Text, span.Data, span.ID, span.Gap:
		return false
	}
	return true
}

// truth is what the truths of all engines have in common.
type truth struct {
	Engine    string
	Framing   string
	Password  *string
	Key       string
	TypeTable int    `json:"type_table"`
	Version   string `json:"format_version"`
	Schemas   string
}

// Load reads a file that has a truth next to it.
func Load(ctx context.Context, name string) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(strings.TrimSuffix(name, filepath.Ext(name)) + ".truth.json")
	if err != nil {
		return nil, err
	}
	var tr truth
	if err := json.Unmarshal(text, &tr); err != nil {
		return nil, err
	}
	f := &File{Name: name, Data: data, Dialect: tr.dialect(), Framing: tr.framing(), before: map[bool]*Answer{}}
	if err := f.unlock(&tr); err != nil {
		return nil, err
	}
	f.locked.Schemas = schemasOf(name)
	if err := f.open(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.reading = f.read(data)
	return f, nil
}

func (tr *truth) dialect() string {
	switch {
	case tr.Version != "":
		return "elephant-" + tr.Version
	case tr.TypeTable == 38:
		return "pandemonium4"
	case tr.TypeTable == 40:
		return "pandemonium"
	case strings.HasPrefix(tr.Engine, "Godot 4"):
		return "godot4"
	case tr.Engine == "":
		return "elephant-1.5.1" // the damaged ones, which that library reads
	}
	return "godot3"
}

func (tr *truth) framing() string {
	switch tr.Framing {
	case "store_var", "gcpf", "gdec":
		return "stream"
	}
	return "raw"
}

// unlock takes over keys and schemas.
func (f *File) unlock(tr *truth) (err error) {
	switch {
	case tr.Password != nil:
		sum := md5.Sum([]byte(*tr.Password))
		f.key = []byte(hex.EncodeToString(sum[:]))
		f.locked.Passwords = []string{*tr.Password}
	case tr.Key != "":
		if f.key, err = hex.DecodeString(tr.Key); err != nil {
			return err
		}
		f.locked.Keys = [][]byte{f.key}
	}
	if tr.Schemas == "" {
		return nil
	}
	folder := filepath.Dir(f.Name)
	if filepath.Base(folder) == "corrupt" {
		folder = filepath.Dir(folder)
	}
	text, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(tr.Schemas, ".gml")+".schema.json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &f.schemas)
}

// schemasOf returns the schemas that check finds for a save.
func schemasOf(name string) func() []format.Schemas {
	var found []format.Schemas
	return func() []format.Schemas {
		if paths := gml.Find(name); found == nil && len(paths) > 0 {
			if l, _ := gml.Load(paths); l != nil { // those that can be read are used
				found = []format.Schemas{l}
			}
		}
		return found
	}
}

// open learns the fields and wrappers of the undamaged file.
func (f *File) open(ctx context.Context) error {
	d, err := decoder.Open(ctx, source.Bytes(f.Data), f.options(true))
	if err != nil {
		return err
	}
	defer d.Close()
	f.Wrappers, f.BigEndian = d.Wrappers(), d.BigEndian
	for _, l := range d.Layers {
		f.generation = max(f.generation, l.Generation)
	}
	for _, b := range d.Buffers() {
		held := make([]byte, b.Source.Size())
		if _, err := b.Source.ReadAt(held, 0); err != nil && len(held) > 0 {
			return err
		}
		f.inner = append(f.inner, held)
	}
	return f.list(ctx, d.Buffers()[0])
}

// options returns the options to open the file, or a damaged one: those of check
// without flags, or with dialect and framing given.
func (f *File) options(given bool) decoder.Options {
	o := f.locked
	o.Thorough = decoder.Through
	if given {
		o.Dialect = f.Dialect
		if !strings.HasPrefix(f.Dialect, "elephant") {
			o.Framing = f.Framing
		}
	}
	return o
}

// list lists the fields of the file's own bytes.
func (f *File) list(ctx context.Context, t *tree.Tree) error {
	r := t.NewReader()
	return t.EachField(ctx, func(of tree.OwnedField) error {
		field := Field{Field: of.Field, Path: string(bytes.Clone(of.Path))}
		n, err := r.At(of.Offset)
		if err != nil {
			return err
		}
		for n.Parent != nil && n.Parent.Layout == tree.Fixed {
			n = n.Parent // components and elements have no header of their own
		}
		if field.Owner, err = spanOf(r, n); err != nil {
			return err
		}
		field.Parent = field.Owner
		field.Path = withoutKey(field.Path)
		field.OwnerPath, field.IsLeaf = withoutKey(r.Path(n)), n.Layout < tree.Sequence
		field.ParentPath = field.OwnerPath
		if n.Parent != nil {
			field.ParentPath = withoutKey(r.Path(n.Parent))
			if field.Parent, err = spanOf(r, n.Parent); err != nil {
				return err
			}
		}
		f.Fields = append(f.Fields, field)
		return nil
	})
}

func spanOf(r *tree.Reader, n *tree.Node) (span.Span, error) {
	end, err := r.End(n)
	return span.Between(n.Start, end), err
}

// at returns the field that owns the byte at an offset, nil after the end.
func (f *File) at(offset int64) *Field {
	for i := range f.Fields {
		if f.Fields[i].Contains(offset) {
			return &f.Fields[i]
		}
	}
	return nil
}
