package gcpf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// CanRewrap implements layer.Packer.
func (p *payload) CanRewrap() error {
	if p.isCut() {
		return layer.ErrCut
	}
	return nil
}

// Rewrap implements layer.Packer. It writes the number of blocks that engines require, even if the old file
// had another. A block whose plain bytes formed one block before is copied, even if it cannot be unpacked.
func (p *payload) Rewrap(w *layer.Rewrapping) (int64, error) {
	size, blockSize := w.Plain.Size(), int64(p.BlockSize)
	switch {
	case size > math.MaxUint32:
		return 0, fmt.Errorf("%s holds less than 4 GiB, these are %s", p.magic, span.Bytes(size))
	case min(size, blockSize) > maxBlock:
		return 0, fmt.Errorf("blocks of more than %s are not packed", span.Bytes(maxBlock))
	}
	b := &blockWriter{Rewrapping: w, old: p, new: file{magic: p.magic, header: header{BlockSize: p.BlockSize, PlainSize: uint32(size), Blocks: size/blockSize + 1}}}
	defer b.close()
	if err := b.open(); err != nil {
		return 0, err
	}
	if err := b.all(); err != nil {
		return 0, err
	}
	return b.finish()
}

// engineBlock is the number of plain bytes of the blocks that engines write.
const engineBlock = 4096

// variants are the modes by name for a new wrapper; engines write all modes except Brotli.
var variants = map[string]Mode{"": fastLZ, "fastlz": fastLZ, "deflate": deflate, "zstd": zstandard, "gzip": Gzip}

// Empty implements layer.Maker.
func (k kind) Empty(variant string, _ int) ([]byte, error) {
	mode, ok := variants[variant]
	if !ok {
		return nil, fmt.Errorf("%s is packed as fastlz, deflate, zstd or gzip, not as %q", k.magic, variant)
	}
	p, err := newBlockPacker(mode)
	if err != nil {
		return nil, err
	}
	defer p.close()
	block, err := p.pack(nil, nil)
	b := []byte(k.magic)
	for _, n := range []uint32{uint32(mode), engineBlock, 0, uint32(len(block))} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(append(b, block...), k.magic...), err
}

// A blockWriter writes a GCPF. It copies the blocks that have not changed.
type blockWriter struct {
	*layer.Rewrapping
	old     *payload
	new     file
	runs    layer.Runs
	table   *layer.Output
	blocks  *layer.Output
	packers []*blockPacker

	replaced atomic.Int64 // number of blocks considered for remembering
	jobs     []blockJob
}

// A blockJob is a block to be written.
type blockJob struct {
	plain  span.Span
	from   int64  // index of the old block to copy; -1 if there is none
	packed []byte // packed bytes of a block that is not copied
}

const (
	batchBytes  = 1 << 20 // plain bytes in a batch of blocks packed at once
	batchBlocks = 256     // largest number of blocks in a batch
)

func (b *blockWriter) open() error {
	b.runs = layer.Runs(b.Same)
	b.table = b.Output(0)
	b.blocks = b.Output(headerSize + 4*b.new.Blocks)
	b.jobs = make([]blockJob, max(1, min(batchBlocks, batchBytes/int64(b.new.BlockSize), b.new.Blocks)))
	for range min(runtime.GOMAXPROCS(0), len(b.jobs)) {
		p, err := newBlockPacker(b.old.Mode)
		if err != nil {
			return err
		}
		b.packers = append(b.packers, p)
	}
	return nil
}

func (b *blockWriter) close() {
	for _, p := range b.packers {
		p.close()
	}
}

// all writes header, table and blocks.
func (b *blockWriter) all() error {
	var head [headerSize]byte
	copy(head[:], b.new.magic)
	binary.LittleEndian.PutUint32(head[4:], uint32(b.old.Mode))
	binary.LittleEndian.PutUint32(head[8:], b.new.BlockSize)
	binary.LittleEndian.PutUint32(head[12:], b.new.PlainSize)
	if _, err := b.table.Write(head[:]); err != nil {
		return err
	}
	for i := b.new.Blocks; i < b.old.here; i++ {
		if err := b.remember(b.packers[0], i); err != nil {
			return err
		}
	}
	for at := int64(0); at < b.new.Blocks; at += int64(len(b.jobs)) {
		if err := b.Ctx.Err(); err != nil {
			return err
		}
		if err := b.batch(at, b.jobs[:min(int64(len(b.jobs)), b.new.Blocks-at)]); err != nil {
			return err
		}
	}
	return nil
}

// batch writes the blocks from number first on.
func (b *blockWriter) batch(first int64, jobs []blockJob) error {
	for k := range jobs {
		i := first + int64(k)
		jobs[k].plain = span.Span{Offset: i * int64(b.new.BlockSize), Length: b.new.plainSize(i)}
		jobs[k].from = b.copied(i, jobs[k].plain)
	}
	if err := b.pack(jobs); err != nil {
		return err
	}
	for k := range jobs {
		if err := b.write(&jobs[k]); err != nil {
			return err
		}
	}
	b.Progress(min(jobs[len(jobs)-1].plain.End(), int64(b.new.PlainSize)), int64(b.new.PlainSize))
	return nil
}

// copied returns the index of the old block with the same plain bytes as block i; -1 if there is none.
func (b *blockWriter) copied(i int64, plain span.Span) int64 {
	from, size := i, int64(b.old.BlockSize)
	if plain.Length > 0 {
		at, ok := b.runs.Find(plain)
		if !ok || at%size != 0 {
			return -1
		}
		from = at / size
	}
	if from >= b.old.here || b.old.plainSize(from) != plain.Length {
		return -1
	}
	return from
}

// pack packs the blocks that are not copied, on all processors.
func (b *blockWriter) pack(jobs []blockJob) error {
	var wait sync.WaitGroup
	errs := make([]error, len(b.packers))
	for k, p := range b.packers {
		mine := jobs[len(jobs)*k/len(b.packers) : len(jobs)*(k+1)/len(b.packers)]
		wait.Go(func() {
			for i := range mine {
				if errs[k] == nil && mine[i].from < 0 {
					errs[k] = b.packBlock(p, &mine[i])
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// packBlock packs a block.
func (b *blockWriter) packBlock(p *blockPacker, j *blockJob) error {
	if int64(cap(p.plain)) < j.plain.Length {
		p.plain = make([]byte, j.plain.Length)
	}
	plain := p.plain[:j.plain.Length]
	if err := layer.ReadAt(b.Plain, plain, j.plain.Offset); err != nil {
		i := j.plain.Offset / int64(b.new.BlockSize)
		if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
			return fmt.Errorf("block %d has changed and cannot be packed again: bytes of it are missing (%w)", i, hole.Err)
		}
		return layer.Lacking(err)
	}
	i := j.plain.Offset / int64(b.new.BlockSize)
	if err := b.remember(p, i); err != nil {
		return err
	}
	if b.Memory != nil && j.plain.Length <= maxKept {
		if packed := b.Memory.Find(uint32(p.mode), plain); packed != nil && b.isOf(packed, plain) {
			j.packed = packed
			return nil
		}
	}
	var err error
	j.packed, err = p.pack(j.packed[:0], plain)
	return err
}

const (
	maxKept    = 64 << 10 // most plain bytes of a block that is remembered
	maxReplace = 2048     // most blocks of a file that are remembered
)

// remember notes how a replaced block was packed, if this program would pack it otherwise.
func (b *blockWriter) remember(p *blockPacker, i int64) error {
	if b.Memory == nil || i >= b.old.here || b.old.plainSize(i) > maxKept || b.replaced.Add(1) > maxReplace {
		return nil
	}
	u, err := b.old.block(i)
	if err != nil || u.err != nil {
		return err
	}
	at, _, err := b.old.packed(i)
	if err != nil {
		return err
	}
	was := make([]byte, at.Length)
	if err := layer.ReadAt(b.Source, was, at.Offset); err != nil {
		return err
	}
	again, err := p.pack(nil, u.data)
	if err == nil && !bytes.Equal(again, was) {
		b.Memory.Remember(uint32(p.mode), u.data, was)
	}
	return err
}

// isOf reports whether packed bytes unpack to plain.
func (b *blockWriter) isOf(packed, plain []byte) bool {
	c, err := b.old.opened()
	if err != nil {
		return false
	}
	is, err := c.unpack(make([]byte, 0, len(plain)), packed)
	return err == nil && bytes.Equal(is, plain)
}

// write writes a block and its length.
func (b *blockWriter) write(j *blockJob) error {
	var length [4]byte
	if j.from < 0 {
		binary.LittleEndian.PutUint32(length[:], uint32(len(j.packed)))
		if _, err := b.blocks.Write(j.packed); err != nil {
			return err
		}
	} else {
		at, _, err := b.old.packed(j.from)
		if err != nil {
			return err
		}
		binary.LittleEndian.PutUint32(length[:], uint32(at.Length))
		if err := b.Keep(b.blocks, at); err != nil {
			return err
		}
	}
	_, err := b.table.Write(length[:])
	return err
}

// finish writes the magic at the end, and what followed it. If other bytes were in its place, they are
// kept.
func (b *blockWriter) finish() (int64, error) {
	rest := span.Between(b.old.end, b.Region.End())
	if b.old.Trailer || rest.Length == 0 {
		if _, err := b.blocks.WriteString(b.new.magic); err != nil {
			return 0, err
		}
	}
	if b.old.Trailer {
		rest = span.Between(rest.Offset+int64(len(Magic)), rest.End())
	}
	if err := b.Keep(b.blocks, rest); err != nil {
		return 0, err
	}
	if _, err := b.table.Finish(); err != nil {
		return 0, err
	}
	n, err := b.blocks.Finish()
	return headerSize + 4*b.new.Blocks + n, err
}
