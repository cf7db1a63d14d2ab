package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/klauspost/compress/zstd"

	"varview/bench/savegame"
)

// mostUnpacked is the program's default limit for unpacking.
const mostUnpacked = 1 << 30

// compressed measures with a GCPF, whose size is that of the values in it.
func compressed(ctx context.Context, b *bench) ([]row, error) {
	size := min(b.size, mostUnpacked)
	pair, err := b.framePair(savegame.GCPF, savegame.Godot4, size)
	if err != nil {
		return nil, err
	}
	rows, err := b.frameRows(ctx, []framePair{pair})
	if err != nil {
		return rows, err
	}
	r, err := b.memoryOfKind(ctx, savegame.GCPF, size)
	if err != nil {
		return rows, err
	}
	rows = append(rows, r)
	r, err = b.unpackRow(ctx, pair.large, size)
	if err != nil {
		return rows, err
	}
	return append(rows, r), nil
}

// unpackRow compares check with unpacking alone. The design sets no budget for it.
func (b *bench) unpackRow(ctx context.Context, path string, size int64) (row, error) {
	if err := b.findsDamage(ctx, path); err != nil {
		return row{}, err
	}
	blocks, err := readBlocks(path)
	if err != nil {
		return row{}, err
	}
	took, err := b.inTurn(b.program(ctx, "check", path), func() (time.Duration, error) { return blocks.unpack(ctx) })
	if err != nil {
		return row{}, err
	}
	ours, theirs := took[0], took[1]
	r := row{
		what:    fmt.Sprintf("check, %s %s", savegame.FormatSize(size), savegame.GCPF),
		ours:    timeAndSpeed(size, ours),
		verdict: none,
	}
	r.compare("unpacking alone", size, ours, theirs)
	if tool, err := exec.LookPath("zstd"); err == nil {
		took, err := blocks.test(ctx, tool)
		if err != nil {
			return row{}, err
		}
		r.notes = []string{"zstd -t of the same blocks " + timeAndSpeed(size, took)}
	}
	return r, nil
}

// packedBlocks has the offsets and lengths of the blocks of a GCPF.
type packedBlocks struct {
	path    string
	plain   int64
	first   int64 // offset
	lengths []uint32
}

// readBlocks reads header and lengths of a file that the bench wrote itself.
func readBlocks(path string) (packedBlocks, error) {
	p := packedBlocks{path: path}
	f, err := os.Open(path)
	if err != nil {
		return p, err
	}
	defer f.Close()
	var header struct {
		Magic                  [4]byte
		Mode, BlockSize, Plain uint32
	}
	if err := binary.Read(f, binary.LittleEndian, &header); err != nil {
		return p, err
	}
	p.plain = int64(header.Plain)
	p.lengths = make([]uint32, header.Plain/header.BlockSize+1)
	p.first = int64(binary.Size(header) + binary.Size(p.lengths))
	return p, binary.Read(f, binary.LittleEndian, p.lengths)
}

// each passes the packed blocks to f one after the other; a block is valid until
// the next one.
func (p packedBlocks) each(one func(packed []byte) error) error {
	f, err := os.Open(p.path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(f, p.first, 1<<62), 1<<20)
	var packed []byte
	for _, n := range p.lengths {
		packed = append(packed[:0], make([]byte, n)...)
		if _, err := io.ReadFull(in, packed); err != nil {
			return err
		}
		if err := one(packed); err != nil {
			return err
		}
	}
	return nil
}

// unpack returns the time in which all blocks are unpacked, one after the other, and forgotten.
func (p packedBlocks) unpack(ctx context.Context) (time.Duration, error) {
	start := time.Now()
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer z.Close()
	var unpacked int64
	var block []byte
	err = p.each(func(packed []byte) error {
		if block, err = z.DecodeAll(packed, block[:0]); err != nil {
			return err
		}
		unpacked += int64(len(block))
		return ctx.Err()
	})
	if err == nil && unpacked != p.plain {
		err = fmt.Errorf("%s: the blocks hold %d bytes, not %d", p.path, unpacked, p.plain)
	}
	return time.Since(start), err
}

// test returns the time of "zstd -t": Zstandard frames that follow each other are a file of that format.
func (p packedBlocks) test(ctx context.Context, tool string) (time.Duration, error) {
	start := time.Now()
	cmd := exec.CommandContext(ctx, tool, "-t", "-q")
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(in, 1<<20)
	err = p.each(func(packed []byte) error {
		_, err := out.Write(packed)
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	in.Close()
	if ended := cmd.Wait(); ended != nil {
		err = fmt.Errorf("zstd -t of %s: %w", p.path, ended)
	}
	return time.Since(start), err
}
