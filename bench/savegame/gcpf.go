package savegame

import (
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	gcpfMagic     = "GCPF"
	gcpfZstandard = 2
	gcpfBlock     = 4096 // plain bytes, as FileAccess.open_compressed writes them
	gcpfHeader    = 16
)

// emptyBlock is Godot's last block of a file whose plain size is a multiple of gcpfBlock.
const emptyBlock = "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00"

// writeGCPF packs a Mixed of the same size and seed. The plain bytes are made twice: the first time to learn how many
// they are, on which the place of the blocks depends.
func (p Plan) writeGCPF(w target) error {
	plain := p
	plain.Kind = Mixed
	var length measure
	if err := plain.write(&length); err != nil {
		return err
	}
	blocks := int64(length)/gcpfBlock + 1
	pack, err := newPacker(w)
	if err != nil {
		return err
	}
	pack.out = make([]byte, gcpfHeader+4*blocks)
	header := append(pack.out[:0], gcpfMagic...)
	for _, n := range []int64{gcpfZstandard, gcpfBlock, int64(length)} {
		header = binary.LittleEndian.AppendUint32(header, uint32(n))
	}
	if err := plain.write(pack); err != nil {
		return err
	}
	return pack.finish()
}

// measure is a target that only counts.
type measure int64

func (m *measure) Write(b []byte) (int, error) {
	*m += measure(len(b))
	return len(b), nil
}

func (m *measure) WriteAt(b []byte, _ int64) (int, error) {
	return len(b), nil
}

// A packer compresses what is written to it, each block by itself.
type packer struct {
	io.WriterAt
	sink
	zstd    *zstd.Encoder
	out     []byte // packed
	plain   []byte // of the block that is not full yet
	lengths []byte // of the packed blocks
}

func newPacker(w target) (*packer, error) {
	// As in Godot's frames: the plain size is in the header, and no checksum
	// follows the data.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	return &packer{WriterAt: w, sink: sink{w: w}, zstd: z}, err
}

// Write takes plain bytes.
func (p *packer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := min(gcpfBlock-len(p.plain), len(rest))
		p.plain = append(p.plain, rest[:n]...)
		rest = rest[n:]
		if len(p.plain) == gcpfBlock {
			p.block()
		}
	}
	return len(b), p.flush(&p.out, flushAt)
}

// block packs the plain bytes gathered so far.
func (p *packer) block() {
	before := len(p.out)
	if len(p.plain) == 0 {
		p.out = append(p.out, emptyBlock...)
	} else {
		p.out = p.zstd.EncodeAll(p.plain, p.out)
	}
	p.lengths = binary.LittleEndian.AppendUint32(p.lengths, uint32(len(p.out)-before))
	p.plain = p.plain[:0]
}

// finish writes the last block, the bytes after it, and the lengths.
func (p *packer) finish() error {
	p.block()
	p.out = append(p.out, gcpfMagic...)
	if err := p.flush(&p.out, 0); err != nil {
		return err
	}
	_, err := p.WriteAt(p.lengths, gcpfHeader)
	return err
}
