package live

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"varview/cli/flags"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/decoder/network/pcap"
)

// A recording is a file with the packets that were delivered, and comments about faults. A nil recording
// writes nothing.
type recording struct {
	out  *pcap.Writer
	file *os.File // nil once it is closed
	lost []string // what was lost since the last packet
	size int      // bytes in lost
}

// maxLost is the number of bytes about losses that may wait for a packet.
const maxLost = 32 << 10

func newRecording(o flags.Output) (*recording, error) {
	flag := os.O_EXCL
	if o.Force {
		flag = os.O_TRUNC
	}
	r := &recording{}
	var err error
	if r.file, err = openfile.Open(o.Path, os.O_WRONLY|os.O_CREATE|flag, 0o644); err == nil {
		r.out, err = pcap.NewWriter(r.file)
	}
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, fmt.Errorf("%s: the file exists already; --force replaces it", o.Path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", o.Path, source.Plain(err))
	}
	return r, nil
}

// pass records what becomes of a packet when it arrives.
func (r *recording) pass(when time.Time, p passage) error {
	if p.lost != "" {
		return r.lose(when, p.lost)
	}
	for _, b := range p.now {
		if err := r.packet(b, when, p.comments...); err != nil {
			return err
		}
	}
	return nil
}

// packet records a packet, with what was lost before it.
func (r *recording) packet(b []byte, when time.Time, comments ...string) error {
	if r == nil || r.file == nil {
		return nil
	}
	all := append(r.lost, comments...)
	r.lost, r.size = nil, 0
	return r.failed(r.out.Packet(b, when, all...))
}

// lose keeps a loss for a comment on the next packet. Too many losses without a packet become a comment
// on a statistics block.
func (r *recording) lose(when time.Time, what string) error {
	if r == nil || r.file == nil {
		return nil
	}
	r.lost = append(r.lost, what)
	if r.size += len(what); r.size < maxLost {
		return nil
	}
	return r.note(when)
}

// note writes losses without a packet.
func (r *recording) note(when time.Time) error {
	if len(r.lost) == 0 {
		return nil
	}
	text := strings.Join(r.lost, "\n")
	r.lost, r.size = nil, 0
	return r.failed(r.out.Note(when, text))
}

func (r *recording) failed(err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", r.file.Name(), source.Plain(err))
	}
	return nil
}

func (r *recording) close() error {
	if r == nil || r.file == nil {
		return nil
	}
	err := r.note(time.Now())
	err = errors.Join(err, r.file.Close())
	r.file = nil
	return err
}
