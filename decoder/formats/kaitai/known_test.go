package kaitai

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// nbtText and the functions after it write NBT: they know the format, not the description.
func nbtText(s string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...)
}

func nbtTag(kind byte, name string, payload []byte) []byte {
	return append(append([]byte{kind}, nbtText(name)...), payload...)
}

func nbtInt(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

func nbtCompound(tags ...[]byte) []byte { return append(bytes.Join(tags, nil), 0) }

func nbtList(kind byte, items ...[]byte) []byte {
	return append(append([]byte{kind}, nbtInt(len(items))...), bytes.Join(items, nil)...)
}

func nbtChunk(status string, items ...[]byte) []byte {
	return nbtTag(10, "", nbtCompound(nbtTag(3, "x", nbtInt(7)), nbtTag(8, "Status", nbtText(status)), nbtTag(9, "Items", nbtList(10, items...))))
}

func nbtItem(id string) []byte {
	return nbtCompound(nbtTag(8, "id", nbtText(id)), nbtTag(1, "Count", []byte{3}))
}

// TestNBT edits NBT: texts, lists and compounds grow and shrink, and the numbers before them follow.
func TestNBT(t *testing.T) {
	was := nbtChunk("full", nbtItem("torch"), nbtItem("bread"))
	const entries = "root.payload.value.entries"
	for _, c := range []struct {
		edited
		want []byte
	}{
		{edited{kind: "set", path: entries + "[1].payload.value.text", literal: `"carved"`}, nbtChunk("carved", nbtItem("torch"), nbtItem("bread"))},
		{edited{kind: "set", path: entries + "[2].payload.value.items[1].value.entries[0].payload.value.text", literal: `""`}, nbtChunk("full", nbtItem("torch"), nbtItem(""))},
		{edited{kind: "set", path: entries + "[1].payload.value.text", literal: `"a😀\u0000é"`}, nbtChunk("a\xed\xa0\xbd\xed\xb8\x80\xc0\x80é", nbtItem("torch"), nbtItem("bread"))},
		{edited{kind: "delete", path: entries + "[2].payload.value.items[0]"}, nbtChunk("full", nbtItem("bread"))},
		{edited{kind: "duplicate", path: entries + "[2].payload.value.items[0]", to: 2}, nbtChunk("full", nbtItem("torch"), nbtItem("bread"), nbtItem("torch"))},
		{edited{kind: "delete", path: entries + "[0]"}, bytes.Replace(was, nbtTag(3, "x", nbtInt(7)), nil, 1)},
	} {
		d := knownFor("level.dat", was, nil).(*description)
		tr := openType(d.t, was)
		if p := problems(t, tr); p != nil || !d.CanRead(tr.Source) {
			t.Fatal(p)
		}
		splices, err := c.apply(tr)
		if got := spliced(was, splices); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%+v: %v: %x, not %x", c.edited, err, got, c.want)
		}
		if p := problems(t, openType(d.t, c.want)); p != nil {
			t.Error(p)
		}
	}
	ends := nbtTag(10, "", nbtCompound(nbtTag(9, "e", nbtList(0)))) // elements without a type: Minecraft does not read them
	d := knownFor("level.dat", ends, nil).(*description)
	e := edited{kind: "set", path: entries + "[0].payload.value.count", literal: "1"}
	if _, err := e.apply(openType(d.t, ends)); err == nil || !strings.Contains(err.Error(), "count is 1, more than 0") {
		t.Errorf("%+v: %v", e, err)
	}
}

// alone counts the values that are read one by one.
type alone struct {
	*reading
	n *int
}

func (c alone) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*c.n++
	c.reading.Read(w, parent, slot, off, v)
}

// TestPassNBT: items of a list are passed over at once, and have the problems that they have one by one.
func TestPassNBT(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var items [][]byte
	for range 6000 { // more than are kept
		id := "minecraft:torch"[:r.IntN(15)]
		items = append(items, nbtCompound(nbtTag(8, "id", nbtText(id)), nbtTag(9, "Pos", nbtList(3, nbtInt(1), nbtInt(2))), nbtTag(10, "tag", nbtCompound(nbtTag(1, "a", []byte{3})))))
	}
	for _, damaged := range []int{0, 3} {
		data := nbtChunk("full", items...)
		for range damaged {
			data[len(data)/2+r.IntN(len(data)/2)] ^= byte(1 << r.IntN(8))
		}
		plain := openType(knownFor("level.dat", nbtChunk("full"), nil).(*description).t, data)
		reads := 0
		quick := tree.New(plain.Source, alone{plain.Reading.(*reading), &reads}, plain.Region)
		a, b := problems(t, quick), problems(t, tree.New(plain.Source, unpassed{plain.Reading.(*reading)}, plain.Region))
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("%d problems %.300s\nnot %d %.300s", len(a), fmt.Sprint(a), len(b), fmt.Sprint(b))
		}
		if damaged == 0 && (len(b) > 0 || reads > len(items)) {
			t.Errorf("%d problems, %d values of %d items are read one by one", len(b), reads, len(items))
		}
	}
}

// region writes a region whose chunks have numbers; the next one is in front of the one before it.
func region(chunks map[int][]byte, order ...int) []byte {
	b := make([]byte, 8192)
	for _, i := range order {
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		w.Write(chunks[i])
		w.Close()
		at := len(b)
		b = append(append(append(b, nbtInt(packed.Len()+1)...), 2), packed.Bytes()...)
		b = append(b, make([]byte, -len(b)&4095)...)
		binary.BigEndian.PutUint32(b[4*i:], uint32(at/4096<<8|(len(b)-at)/4096))
	}
	return b
}

// readRegion reads the chunks of a region, which has no gaps.
func readRegion(b []byte) (map[int][]byte, error) {
	chunks, sectors := map[int][]byte{}, 2
	for i := range 1024 {
		place := int(binary.BigEndian.Uint32(b[4*i:]))
		if place == 0 {
			continue
		}
		at, n := place>>8*4096, place&255
		size := int(binary.BigEndian.Uint32(b[at:]))
		if sectors += n; (size+4+4095)/4096 != n || strings.Trim(string(b[at+4+size:at+n*4096]), "\x00") != "" {
			return nil, fmt.Errorf("chunk %d: %d bytes in %d sectors", i, size, n)
		}
		r, err := zlib.NewReader(bytes.NewReader(b[at+5 : at+4+size]))
		if err != nil {
			return nil, err
		}
		if chunks[i], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	if sectors*4096 != len(b) {
		return nil, fmt.Errorf("%d sectors are used of %d bytes", sectors, len(b))
	}
	return chunks, nil
}

// TestCutNBT: a file whose end is missing is read as far as it goes, if that is most of it.
func TestCutNBT(t *testing.T) {
	whole, err := os.ReadFile("../../../testdata/kaitai/level.nbt")
	if err != nil {
		t.Fatal(err)
	}
	bedrock := []byte("\x0a\x00\x00\x03\x0c\x00SpawnVersion\x01\x00\x00\x00\x00")
	for _, c := range []struct {
		data []byte
		want bool
	}{{whole, true}, {whole[:len(whole)*2/3], true}, {bedrock, false}} {
		if got := knownFor("level.dat", c.data, nil).(*description).CanRead(source.Bytes(c.data)); got != c.want {
			t.Errorf("%d bytes: %v", len(c.data), got)
		}
	}
}

// TestRegion edits a region of Minecraft: a chunk fills up its last sector, or takes more or fewer, and those behind it move.
func TestRegion(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 2))
	long := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"[r.IntN(64)]
		}
		return string(b)
	}
	chunks := map[int][]byte{}
	order := []int{5, 0, 1000, 3}
	for i, at := range order {
		chunks[at] = nbtChunk(long(10+i*4000), nbtItem("torch"))
	}
	data := region(chunks, order...)
	d := knownFor("r.0.0.mca", data, nil).(*description)
	for _, c := range []struct{ at, size int }{{5, 30}, {5, 9000}, {1000, 10}, {0, 5461}, {3, 20000}, {1000, 8000}} {
		tr := openType(d.t, data)
		if p := problems(t, tr); p != nil {
			t.Fatal(p)
		}
		status := long(c.size)
		e := edited{kind: "set", path: fmt.Sprintf("places[%d].chunk.nbt.root.payload.value.entries[1].payload.value.text", c.at), literal: `"` + status + `"`}
		splices, err := e.apply(tr)
		if err != nil {
			t.Fatal(err)
		}
		chunks[c.at] = nbtChunk(status, nbtItem("torch"))
		data = spliced(data, splices)
		got, err := readRegion(data)
		if err != nil {
			t.Fatalf("%d with %d: %v", c.at, c.size, err)
		}
		for i, want := range chunks {
			if !bytes.Equal(got[i], want) {
				t.Fatalf("%d with %d: chunk %d is %x, not %x", c.at, c.size, i, got[i], want)
			}
		}
	}
}

// TestGVAS edits structs of GVAS: those of properties, tags, and of a type that is not known, which are bytes.
func TestGVAS(t *testing.T) {
	le := func(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
	text := func(s string) []byte { return append(le(len(s)+1), s+"\x00"...) }
	join := func(all ...[]byte) []byte { return bytes.Join(all, nil) }
	str16 := []byte("\xfe\xff\xff\xff\xdc\x00\x00\x00") // "Ü" in UTF-16
	property := func(name, typ string, extra, value []byte) []byte {
		return join(text(name), text(typ), le(len(value)), le(0), extra, value)
	}
	str := func(name, value string) []byte {
		if value == "Ü" {
			return property(name, "StrProperty", []byte{0}, str16)
		}
		return property(name, "StrProperty", []byte{0}, text(value))
	}
	structure := func(name, typ string, value []byte) []byte {
		return property(name, "StructProperty", join(text(typ), make([]byte, 17)), value)
	}
	save := func(first, name string, tags []string, odd string) []byte {
		all := le(len(tags))
		for _, s := range tags {
			all = append(all, text(s)...)
		}
		return join([]byte("GVAS"), le(2), le(522), []byte("\x04\x00\x1b\x00\x02\x00\x00\x00\x00\x00"), text("b"), le(3), le(0), text("/S"),
			structure("hero", "Hero", join(str(first, name), text("None"))), structure("tags", "GameplayTagContainer", all), structure("odd", "Odd", []byte(odd)), text("None"), le(0))
	}
	data := save("name", "Mira", []string{"a.b", "c"}, "\x01\x02\x00\x00someotherbytes")
	d := knownFor("x.sav", data, nil).(*description)
	for _, c := range []struct {
		edited
		want []byte
	}{
		{edited{kind: "set", path: "properties[0].body.value.properties[0].body.value.text", literal: `"Mirabelle"`}, save("name", "Mirabelle", []string{"a.b", "c"}, "\x01\x02\x00\x00someotherbytes")},
		{edited{kind: "set", path: "properties[0].body.value.properties[0].body.value", literal: `{utf16: "Ü"}`}, save("name", "Ü", []string{"a.b", "c"}, "\x01\x02\x00\x00someotherbytes")},
		{edited{kind: "set", path: "properties[0].body.value.properties[0].name.text", literal: `"nickname"`}, save("nickname", "Mira", []string{"a.b", "c"}, "\x01\x02\x00\x00someotherbytes")},
		{edited{kind: "insert", path: "properties[1].body.value.tags", literal: `{text: "new.tag"}`, to: 1}, save("name", "Mira", []string{"a.b", "new.tag", "c"}, "\x01\x02\x00\x00someotherbytes")},
		{edited{kind: "set", path: "properties[2].body.value.value", literal: `"abc"`}, save("name", "Mira", []string{"a.b", "c"}, "abc")},
	} {
		tr := openType(d.t, data)
		if p := problems(t, tr); p != nil {
			t.Fatal(p)
		}
		splices, err := c.apply(tr)
		if got := spliced(data, splices); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%+v: %v: %q, not %q", c.edited, err, got, c.want)
		}
	}
}
