package gdec

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"io"

	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// CanRewrap implements layer.Packer.
func (g *packer) CanRewrap() error {
	switch {
	case g.size < g.header.plain():
		return layer.ErrCut
	case g.layer.Checksum() == layer.Differs && !g.layer.LooksRight():
		return errors.New("the key or password may be wrong: the MD5 differs, and nothing shows that the key fits")
	}
	return nil
}

// packer wraps a payload again.
type packer struct {
	*payload
	layer *layer.Layer
}

// Rewrap implements layer.Packer. The start value is always a new one.
func (g *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	h := *g.header
	h.Size = uint64(w.Plain.Size())
	if h.Generation == 4 {
		rand.Read(h.IV[:]) // cannot fail
	}
	head := g.header.start - w.Region.Offset
	out := w.Output(head)
	if err := g.encrypt(w.Reader(), out, &h); err != nil {
		return 0, err
	}
	old := min(g.header.start+padded(g.header.plain()), g.header.end)
	if err := w.Keep(out, span.Between(old, w.Region.End())); err != nil {
		return 0, err
	}
	n, err := out.Finish()
	if err != nil {
		return 0, err
	}
	return head + n, w.WriteAt(h.bytes(), 0)
}

// encrypt writes the cipher text of the bytes of in to out, and their MD5 to h.
func (g *packer) encrypt(in io.Reader, out io.Writer, h *header) error {
	sum := md5.New()
	before := h.IV
	buf := make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(in, buf)
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		sum.Write(buf[:n])
		text := buf[:padded(int64(n))]
		clear(text[n:])
		for b := text; len(b) > 0; b = b[cipherSize:] {
			g.encryptBlock(b[:cipherSize], &before, h.Generation)
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
		if last {
			h.MD5 = [cipherSize]byte(sum.Sum(nil))
			return nil
		}
	}
}

// encryptBlock encrypts a cipher block. In CFB, before is the cipher block before it, or the start value.
func (g *packer) encryptBlock(b []byte, before *[cipherSize]byte, generation int) {
	if generation == 3 {
		g.block.Encrypt(b, b)
		return
	}
	g.block.Encrypt(before[:], before[:])
	subtle.XORBytes(b, b, before[:])
	copy(before[:], b)
}

// bytes returns the header as stored in a file.
func (h *header) bytes() []byte {
	b := []byte(Magic)
	if h.Generation == 3 {
		b = binary.LittleEndian.AppendUint32(b, h.Mode)
	}
	b = binary.LittleEndian.AppendUint64(append(b, h.MD5[:]...), h.Size)
	if h.Generation == 4 {
		b = append(b, h.IV[:]...)
	}
	return b
}
