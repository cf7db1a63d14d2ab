package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// A family is how the same records, each with an id, a number x, a name, a position and tags, are written in a format.
type family struct {
	name string
	rows string // path of the records

	head, between, tail string
	record              string // format of a record, of its id, x and a fraction; if it is empty, records are binary
	pack                func(io.Writer) io.WriteCloser
	made                string   // command that makes the file of this text, as in "import --from plain --as snap"
	flags               []string // for all commands
	to                  string   // dialect to which it is converted; "" for none
}

const (
	jsonHead    = `{"version":3,"items":[`
	jsonRecord  = `{"id":%[1]d,"x":%[2]d,"name":"item %[1]d of a bag","pos":[%[3]g,-2.5],"tags":["a","b"]}`
	jsonTail    = "]}\n"
	godotRecord = "{\n\"id\": %d,\n\"x\": %d,\n\"name\": \"item %[1]d of a bag\",\n\"pos\": Vector2(%[3]g, -2.5),\n\"tags\": [\"a\", \"b\"]\n}"
	iniRecord   = "[item%[1]d]\nid=%[1]d\nx=%[2]d\nname=\"item %[1]d of a bag\"\npos=\"%[3]g\"\n\n"
	tresHead    = "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nitems = ["
	eleItem     = `{"type":"struct","id":null,"constructor":null,"schema_version":null,"verbose":true,"value":[["id",{"type":"s32","value":%[1]d}],` +
		`["x",{"type":"s32","value":%[2]d}],["name",{"type":"string","value":"item %[1]d of a bag"}],["pos",{"type":"f64","value":%[3]g}]`
	// A list has no more than 65,534 elements, so each holds four more.
	eleRecord = eleItem + `,["more",{"type":"array","id":null,"elem":"any","value":[` + eleItem + `]},` + eleItem + `]},` + eleItem + `]},` + eleItem + `]}]}]]}`
	eleHead   = `{"type":"array","elephant":{"version":"1.5.1","header":"PELE","footer":true,"tags":204},"id":null,"elem":"any","value":[`
)

var families = []family{
	{name: "godot4", rows: "items", head: jsonHead, record: jsonRecord, between: ",", tail: jsonTail, made: "import --from plain --as godot4", to: "godot3"},
	{name: "gdec", rows: "items", head: jsonHead, record: jsonRecord, between: ",", tail: jsonTail, made: "import --from plain --as godot4 | convert --to godot4 --wrap gdec:secret", flags: []string{"--password", "secret"}, to: "godot3"},
	{name: "json", rows: "items", head: jsonHead, record: jsonRecord, between: ",", tail: jsonTail},
	{name: "jsonl", rows: "$", record: jsonRecord, between: "\n", tail: "\n"},
	{name: "gzip", rows: "items", head: jsonHead, record: jsonRecord, between: ",", tail: jsonTail, pack: func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }},
	{name: "tres", rows: "resources[0].properties.items", head: tresHead, record: godotRecord, between: ", ", tail: "]\n", to: "godot4-resource"},
	{name: "res", rows: "resources[0].properties.items", head: tresHead, record: godotRecord, between: ", ", tail: "]\n", made: "convert --to godot4-resource", to: "godot4-text"},
	{name: "cfg", rows: "$", record: strings.Replace(iniRecord, `"%[3]g"`, "Vector2(%[3]g, -2.5)", 1)},
	{name: "ini", rows: "$", record: iniRecord},
	{name: "lines", rows: "$", record: "%[1]d\nitem %[1]d of a bag\n%[2]d \n"},
	{name: "msgpack", rows: "items", head: jsonHead, record: jsonRecord, between: ",", tail: jsonTail, made: "import --from plain --as msgpack"},
	{name: "snap", rows: "items", head: jsonHead, record: jsonRecord, between: ",", tail: jsonTail, made: "import --from plain --as snap"},
	{name: "elephant", rows: "$", head: eleHead, record: eleRecord, between: ",", tail: "]}\n", made: "import", to: "elephant-1.5.0"},
	{name: "ksy", rows: "items", flags: []string{"--ksy", "BAG"}},
}

// bag describes the binary records.
const bag = `meta: {id: bag, endian: le}
seq:
  - {id: count, type: u4}
  - {id: items, type: item, repeat: expr, repeat-expr: count}
types:
  item:
    seq:
      - {id: id, type: u4}
      - {id: x, type: u4}
      - {id: length, type: u1}
      - {id: name, type: str, size: length, encoding: UTF-8}
      - {id: pos, type: f4, repeat: expr, repeat-expr: 2}
`

// write writes n records, of which x gives the number x.
func (f *family) write(out io.Writer, n int, x func(k int) int) error {
	w := bufio.NewWriterSize(out, 1<<16)
	if f.record == "" {
		binary.Write(w, binary.LittleEndian, uint32(n))
	}
	w.WriteString(f.head)
	for k := range n {
		if k > 0 {
			w.WriteString(f.between)
		}
		part := float64(k%97)/8 + 0.125
		if f.record != "" {
			fmt.Fprintf(w, f.record, k, x(k), part)
			continue
		}
		name := fmt.Sprintf("item %d of a bag", k)
		var b []byte
		for _, u := range []int{k, x(k)} {
			b = binary.LittleEndian.AppendUint32(b, uint32(u))
		}
		b = append(append(b, byte(len(name))), name...)
		for range 2 {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(part)))
		}
		w.Write(b)
	}
	w.WriteString(f.tail)
	return w.Flush()
}

// file makes a file of about a size in a folder: twice the size has twice the records.
func (f *family) file(ctx context.Context, b *bench, dir, name string, size int64, x func(k int) int) (path string, err error) {
	var sample bytes.Buffer
	const some = 1000
	if err := f.write(&sample, some, items); err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	n := int(size * some / int64(sample.Len()))
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	var w io.WriteCloser = out
	if f.pack != nil {
		w = f.pack(out)
	}
	if err := errors.Join(f.write(w, n, x), w.Close()); err != nil {
		return "", err
	}
	out.Close()
	if f.made == "" {
		return path, nil
	}
	for _, step := range strings.Split(f.made, " | ") {
		from := path
		path += "-"
		args := strings.Fields(step)
		if _, err := b.command(ctx, b.bin, append([]string{args[0], from, "-o", path}, args[1:]...)...); err != nil {
			return "", err
		}
		if err := os.Remove(from); err != nil {
			return "", err
		}
	}
	return path, nil
}
