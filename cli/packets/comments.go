package packets

import (
	"slices"

	"varview/decoder/capture/pcap"
)

// Comments are those on packets, until they are printed or there are too many.
type comments struct {
	on     map[int][]string // by the numbers of the packets
	frames []int            // ascending
	size   int              // bytes of memory, about
}

// maxComments is the most memory for comments, in bytes.
const maxComments = 4 << 20

// add keeps the comments of a packet.
func (c *comments) add(x *pcap.Packet) {
	if len(x.Comments) == 0 {
		return
	}
	if c.on == nil {
		c.on = map[int][]string{}
	}
	c.on[x.Frame] = slices.Clone(x.Comments)
	c.frames = append(c.frames, x.Frame)
	c.size += sizeOf(x.Comments)
	for c.size > maxComments {
		c.drop()
	}
}

// drop forgets the first packet.
func (c *comments) drop() (frame int, texts []string) {
	frame = c.frames[0]
	texts = c.on[frame]
	delete(c.on, frame)
	c.frames = c.frames[1:]
	c.size -= sizeOf(texts)
	return frame, texts
}

func sizeOf(texts []string) int {
	n := 128
	for _, s := range texts {
		n += len(s)
	}
	return n
}

// of returns the comments on packets.
func (c *comments) of(frames []int) (texts []string) {
	for _, frame := range frames {
		texts = append(texts, c.on[frame]...)
	}
	return texts
}
