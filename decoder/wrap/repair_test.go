package wrap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A patient is a wrapper that was examined.
type patient struct {
	data  []byte
	o     Options
	layer *Layer
	tree  *tree.Tree
	found []span.Problem
}

// examine opens data and finds its problems.
func examine(t testing.TB, k Kind, data []byte, o Options, plain []byte) *patient {
	t.Helper()
	src := source.Bytes(data)
	l, err := Open(context.Background(), k, src, span.Between(0, src.Size()), o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if plain != nil && l.Payload != nil {
		if got, err := io.ReadAll(io.NewSectionReader(l.Payload, 0, l.Payload.Size())); err == nil && bytes.Equal(got, plain) {
			l.ReadsWell()
		}
	}
	p := &patient{data: data, o: o, layer: l, tree: tree.New(src, l.Reading, l.Region)}
	if err := p.tree.Check(context.Background(), tree.CheckOptions{}, func(problem span.Problem, _ *tree.Node) { p.found = append(p.found, problem) }); err != nil {
		t.Fatal(err)
	}
	return p
}

// errNoRepairs says that a wrapper, as a capture, offers no repairs.
var errNoRepairs = errors.New("no repairs")

// repair returns the bytes after the repair of a problem.
func (p *patient) repair(t testing.TB, problem *span.Problem) (data []byte, drops string, err error) {
	t.Helper()
	r := p.tree.NewReader()
	n, err := r.At(problem.Offset)
	if err != nil {
		t.Fatal(err)
	}
	repairer, ok := p.layer.Reading.(edit.Repairer)
	if !ok {
		return nil, "", errNoRepairs
	}
	done, err := repairer.Repair(context.Background(), r, n, problem)
	if err != nil {
		return nil, "", err
	}
	at := int64(0)
	for _, s := range done.Splices {
		if s.Offset < at || s.Length < 0 || s.End() > int64(len(p.data)) {
			t.Fatalf("%s: splices %v", problem.Repair, done.Splices)
		}
		at = s.End()
	}
	whole := source.Whole(source.Bytes(p.data)).Splice(done.Splices)
	data = make([]byte, whole.Size())
	if n, err := whole.ReadAt(data, 0); n < len(data) {
		t.Fatal(err)
	}
	return data, done.Loss, nil
}

// checkRepairs checks that exactly the problems with a repair text can be repaired, and are gone then.
func checkRepairs(t testing.TB, p *patient) {
	t.Helper()
	for i, problem := range p.found {
		if i%max(1, len(p.found)/16) != 0 {
			continue // each repair is examined again
		}
		data, _, err := p.repair(t, &problem)
		if (err == nil) != (problem.Repair != "") {
			t.Fatalf("%s (%s): %v", problem.Message, problem.Repair, err)
		}
		if err != nil {
			continue
		}
		if bytes.Equal(data, p.data) {
			t.Fatalf("%s: the repair changes nothing", problem.Message)
		}
		for _, still := range examine(t, p.layer.Kind, data, p.o, nil).found {
			if still.Code == problem.Code && still.Message == problem.Message && still.Offset == problem.Offset {
				t.Fatalf("%s is still there after: %s", problem.Message, problem.Repair)
			}
		}
	}
}

// told are the problems with their repairs.
func (p *patient) told() (all []string) {
	for _, problem := range p.found {
		all = append(all, fmt.Sprintf("%v %s %d+%d %s → %s", problem.Severity, problem.Code, problem.Offset, problem.Length, problem.Message, problem.Repair))
	}
	return all
}

// A damage is a change of a good file, and what must be reported about it.
type damage struct {
	name   string
	kind   Kind
	good   []byte
	bad    []byte
	want   string // code and span of the one problem
	says   string // part of its message
	repair string // "" if there is none
	fixed  []byte // after the repair; nil for the good file
}

func checkDamage(t *testing.T, all []damage, o Options) {
	for _, c := range all {
		p := examine(t, c.kind, c.bad, o, nil)
		if len(p.found) != 1 {
			t.Errorf("%s: %q", c.name, p.told())
			continue
		}
		problem := p.found[0]
		if got := fmt.Sprintf("%s %d+%d", problem.Code, problem.Offset, problem.Length); got != c.want || !strings.Contains(problem.Message, c.says) || problem.Repair != c.repair {
			t.Errorf("%s: %q", c.name, p.told())
		}
		checkRepairs(t, p)
		checkTree(t, c.bad, open(t, c.kind, c.bad, o))
		if c.repair == "" {
			continue
		}
		if c.fixed == nil {
			c.fixed = c.good
		}
		if data, _, err := p.repair(t, &problem); err != nil || !bytes.Equal(data, c.fixed) {
			t.Errorf("%s: repaired to\n%x, not\n%x: %v", c.name, data, c.fixed, err)
		}
	}
}

// without takes n bytes at off out.
func without(data []byte, off, n int) []byte { return slices.Delete(bytes.Clone(data), off, off+n) }

// with puts bytes in at off.
func with(data []byte, off int, b ...byte) []byte { return slices.Insert(bytes.Clone(data), off, b...) }

// TestRepairGCPF: real files, each with one change. The multi-block file has 10 blocks of at most 4096
// bytes, 40012 in all, and a table at 16.
func TestRepairGCPF(t *testing.T) {
	good, small := load(t, "gcpf-deflate-multi-block.bin"), load(t, "gcpf-gzip-small.bin")
	exact := load(t, "gcpf-zstd-exact-one-block.bin")
	const first = 16 + 4*10
	length := func(i int) int { return int(good[16+4*i]) | int(good[17+4*i])<<8 }
	start := func(i int) int {
		at := first
		for j := range i {
			at += length(j)
		}
		return at
	}
	end := len(good) - 4
	cut := slices.Concat(put(good, 12, le(3*4096)...)[:16+4*3], le(8), good[first:start(3)], []byte{0x78, 0x9c, 3, 0, 0, 0, 0, 1}, []byte("GCPF"))
	alone := slices.Concat(exact[:20], exact[24:len(exact)-4-9], []byte("GCPF"))
	checkDamage(t, []damage{
		{"magic", GCPF, good, put(good, 1, 'X'), "bad-magic 0+4", `"GXPF" is here`, "write GCPF", nil},
		{"no mode", GCPF, good, put(good, 6, 2), "unknown-mode 4+4", "compression mode 131073 does not exist", "", nil},
		{"block size 0", GCPF, good, put(good, 8, 0, 0), "block-size 8+4", "the block size is 0", "", nil},
		{"plain size", GCPF, good, put(good, 12, 0x4d), fmt.Sprintf("bad-block %d+%d", start(9), length(9)), "it holds 3,148 bytes of 3,149 bytes", "set the plain size to 40012", nil},
		{"plain size of more blocks", GCPF, good, put(good, 15, 1), fmt.Sprintf("truncated 16+%d", len(good)-16), "the file ends after 1,295 of 4,106 block lengths", "", nil},
		{"length too long", GCPF, good, put(good, 16+4*3, good[16+4*3]+9), "wrong-length 28+4", fmt.Sprintf("but the block has %d bytes", length(3)), fmt.Sprintf("set the length of block 3 to %d", length(3)), nil},
		{"length too short", GCPF, good, put(good, 16+4*3, good[16+4*3]-9), "wrong-length 28+4", "block 3", fmt.Sprintf("set the length of block 3 to %d", length(3)), nil},
		{"length past the end", GCPF, good, put(good, 19, 0x7f), "wrong-length 16+4", "block 0", fmt.Sprintf("set the length of block 0 to %d", length(0)), nil},
		{"last length", GCPF, good, put(good, 16+4*9, good[16+4*9]+2), "wrong-length 52+4", "block 9", fmt.Sprintf("set the length of block 9 to %d", length(9)), nil},
		{"only length", GCPF, small, put(small, 16, small[16]+2), "wrong-length 16+4", "block 0", fmt.Sprintf("set the length of block 0 to %d", small[16]), nil},
		{"byte added to a block", GCPF, good, with(good, start(4)+100, 0xaa), fmt.Sprintf("extra-bytes %d+%d", start(4), length(4)+1), "block 4 has 1 byte too many: it does not unpack, and the blocks after it unpack", fmt.Sprintf("set the length of block 4 to %d, so that the engine finds the blocks after it", length(4)+1), put(with(good, start(4)+100, 0xaa), 16+4*4, byte(length(4)+1))},
		{"bytes added between blocks", GCPF, good, with(good, start(4), 1, 2, 3), fmt.Sprintf("extra-bytes %d+%d", start(4), length(4)+3), "block 4 has 3 bytes too many", fmt.Sprintf("set the length of block 4 to %d, so that the engine finds the blocks after it", length(4)+3), put(with(good, start(4), 1, 2, 3), 16+4*4, byte(length(4)+3))},
		{"bytes lost from a block", GCPF, good, without(good, start(4)+100, 3), fmt.Sprintf("missing-bytes %d+%d", start(4), length(4)-3), "block 4 has lost 3 bytes", fmt.Sprintf("set the length of block 4 to %d, so that the engine finds the blocks after it", length(4)-3),
			put(without(good, start(4)+100, 3), 32, le(uint32(length(4)-3))...)},
		{"bytes lost from the last block", GCPF, good, without(good, start(9)+50, 3), fmt.Sprintf("missing-bytes %d+%d", start(9), length(9)-3), "block 9 has lost 3 bytes", "", nil},
		{"checksum of a block", GCPF, good, put(good, start(5)-1, good[start(5)-1]^8), fmt.Sprintf("checksum %d+%d", start(4), length(4)), "block 4 unpacks, but its checksum differs", fmt.Sprintf("write the checksum that the bytes have, %x", good[start(5)-4:start(5)]), nil},
		{"checksum of gzip", GCPF, small, put(small, len(small)-12, 0), fmt.Sprintf("checksum 20+%d", small[16]), "its checksum differs", fmt.Sprintf("write the checksum and length that the bytes have, %x", small[len(small)-12:len(small)-4]), nil},
		{"damaged block", GCPF, good, put(good, start(4)+2, 0xff, 0xff), fmt.Sprintf("bad-block %d+%d", start(4), length(4)), "block 4 does not unpack", "", nil},
		{"no trailer", GCPF, good, good[:end], fmt.Sprintf("missing-trailer %d+0", end), "the magic GCPF is missing", "add the magic GCPF at the end", nil},
		{"half a trailer", GCPF, good, good[:end+3], fmt.Sprintf("missing-trailer %d+3", end), "the magic GCPF is missing", "add the magic GCPF at the end", nil},
		{"other trailer", GCPF, good, put(good, end+3, 0), fmt.Sprintf("bad-magic %d+4", end), "is here instead of GCPF", "write GCPF", nil},
		{"bytes behind", GCPF, good, append(bytes.Clone(good), 1, 2), fmt.Sprintf("trailing-bytes %d+2", len(good)), "2 bytes left over after the end", "delete the 2 bytes after the end", nil},
		{"no block for nothing", GCPF, exact, alone, "block-count 12+4", "one block too few", "add an empty block", nil},
		{"cut in a block", GCPF, good, good[:start(3)+20], fmt.Sprintf("truncated %d+20", start(3)), "the file ends in block 3 of 10: 3 blocks with 12,288 bytes can be read, 7 are lost", "end the file after block 2, with a plain size of 12288", cut},
		{"cut between blocks", GCPF, good, good[:start(3)], "truncated 28+28", "3 blocks with 12,288 bytes can be read", "end the file after block 2, with a plain size of 12288", cut},
		{"cut in the table", GCPF, good, good[:30], "truncated 16+14", "the file ends after 3 of 10 block lengths", "", nil},
		{"cut in the header", GCPF, good, good[:10], "truncated 0+10", "the file ends in its header", "", nil},
	}, Options{MaxUnpacked: 1 << 30})
}

// TestRepairGDEC: files of both generations. The header of generation 3 has the mode at 4, the MD5 at 8 and
// the size at 24; that of 4 the MD5 at 4 and the size at 20.
func TestRepairGDEC(t *testing.T) {
	three, four := gdecOf(t, 3, mixed(50, 8)), gdecOf(t, 4, mixed(50, 8))
	checkDamage(t, []damage{
		{"magic 3", GDEC, three, put(three, 3, 'X'), "bad-magic 0+4", `"GDEX" is here`, "write GDEC", nil},
		{"magic 4", GDEC, four, put(four, 0, 0), "bad-magic 0+4", "is here", "write GDEC", nil},
		{"mode", GDEC, three, put(three, 4, 7), "unknown-mode 4+4", "cipher mode 7 does not exist", "set the mode to 1, AES-256", nil},
		{"size 3", GDEC, three, put(three, 24, 60), "checksum 8+16", "damaged bytes: the MD5 differs", "", nil},
		{"huge size 3", GDEC, three, put(three, 31, 0x80), "wrong-size 24+8", "the plain size is damaged: it says 9223372036854775858 bytes", "", nil},
		{"huge size 4", GDEC, four, put(four, 24, 1), "truncated 92+16", "only 64 bytes are there for 4,294,967,346 bytes", "", nil},
		{"flipped bit", GDEC, four, put(four, 60, four[60]^4), "checksum 4+16", "damaged bytes: the MD5 differs", "", nil},
		{"flipped bit 3", GDEC, three, put(three, 95, three[95]^4), "wrong-key 8+16", "wrong key or password, or a damaged end", "", nil},
		{"two bytes", GDEC, four, put(four, 60, four[60]^4, four[61]^4), "checksum 4+16", "the key is right", "", nil},
		{"bytes behind", GDEC, three, append(bytes.Clone(three), 7), "trailing-bytes 96+1", "1 byte left over after the end", "delete the 1 byte after the end", nil},
		{"filler cut", GDEC, four, four[:44+50], "truncated 92+2", "only filler is missing", "add 14 bytes to fill up the last cipher block", nil},
		{"cut", GDEC, four, four[:44+32], "truncated 60+16", "cut: only 32 bytes are there for 50 bytes", "", nil},
		{"cut header", GDEC, four, four[:40], "truncated 0+40", "the file ends in its header", "", nil},
	}, password("x"))
	bad := put(four, 5, four[5]^1)
	p := examine(t, GDEC, bad, password("x"), mixed(50, 8))
	if len(p.found) != 1 || p.found[0].Code != Checksum || p.found[0].Repair != "write the MD5 that the plain bytes have" {
		t.Fatal(p.told())
	}
	if data, _, err := p.repair(t, &p.found[0]); err != nil || !bytes.Equal(data, four) {
		t.Errorf("%x %v", data, err)
	}
}

// TestRepairZlib: a stream with its header of two bytes and its checksum of four.
func TestRepairZlib(t *testing.T) {
	good := zlibOf(mixed(900, 3))
	end := len(good)
	sum := fmt.Sprintf("%x", good[end-4:])
	checkDamage(t, []damage{
		{"checksum", Zlib, good, put(good, end-2, good[end-2]^1), fmt.Sprintf("checksum %d+4", end-4), "damaged bytes", "write the checksum that the bytes have, " + sum, nil},
		{"checksum cut", Zlib, good, good[:end-1], fmt.Sprintf("truncated-stream %d+3", end-4), "the stream itself is complete", "add the checksum " + sum, nil},
		{"no checksum", Zlib, good, good[:end-4], fmt.Sprintf("truncated-stream %d+0", end-4), "the stream itself is complete", "add the checksum " + sum, nil},
		{"bytes behind", Zlib, good, append(bytes.Clone(good), 1, 2), fmt.Sprintf("trailing-bytes %d+2", end), "2 bytes left over after the end", "delete the 2 bytes after the end", nil},
		{"cut", Zlib, good, good[:end-20], fmt.Sprintf("truncated-stream %d+1", end-21), "end too early", "", nil},
	}, Options{MaxUnpacked: 1 << 20})
}
