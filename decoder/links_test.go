package decoder

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// eachBelow calls do with a value and everything in it.
func eachBelow(t *testing.T, r *tree.Reader, n *tree.Node, do func(*tree.Node)) {
	t.Helper()
	if n == nil {
		return
	}
	do(n)
	if n.Layout == tree.Leaf {
		return
	}
	x, err := r.Child(n, 0)
	for ; err == nil; x, err = r.Next(x) {
		eachBelow(t, r, x, do)
	}
	if !errors.Is(err, tree.ErrNoChild) {
		t.Fatal(err)
	}
}

// numberIn returns the number in a part of a value.
func numberIn(t *testing.T, r *tree.Reader, n *tree.Node, part string) uint64 {
	t.Helper()
	x, err := r.Follow(n, part)
	if err != nil {
		t.Fatal(err)
	}
	return r.Plain(&x.Value).Bits
}

// isContent reports whether a path is that of a message, or of a part of one.
func isContent(path string) bool {
	return strings.HasSuffix(path, ".message") || strings.HasSuffix(path, ".data")
}

// bytesIn returns the bytes of a value.
func bytesIn(t *testing.T, r *tree.Reader, n *tree.Node) []byte {
	t.Helper()
	b := make([]byte, n.End-n.Start)
	if _, err := r.Tree.Source.ReadAt(b, n.Start); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLinksOfCaptures: an acknowledgement leads to the earlier command that it acknowledges, and the data
// of each command and datagram to their message.
func TestLinksOfCaptures(t *testing.T) {
	for _, name := range []string{"auth.pcap", "mp-enet-norelay.pcap", "udp.pcap", "ng-interfaces.pcapng", "enet-reconnect.pcap"} {
		data, err := os.ReadFile(filepath.Join("../testdata/captures", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Open(context.Background(), source.Bytes(data), Options{})
		if err != nil {
			t.Fatal(err)
		}
		outer, inner := doc.Layers[0].Tree, doc.Tree
		links, carrier, messages := outer.Reading.(format.Linker), outer.Reading.(format.Carrier), inner.Reading.(format.Carrier)
		r, w := outer.NewReader(), inner.NewReader()
		acknowledged, pieces, repeated := 0, 0, 0
		packets := outer.Base
		if strings.HasPrefix(name, "ng-") { // over TCP
			packets = nil
		}
		eachBelow(t, r, packets, func(n *tree.Node) {
			path := r.Path(n)
			if links.Link(r, n) != "" {
				to, err := links.Follow(context.Background(), outer.NewReader(), n)
				if err != nil || to == nil {
					t.Fatalf("%s: %s leads to %v: %v", name, path, to, err)
				}
				in := n.Parent
				if to.Start >= n.Start || numberIn(t, r, to, ".sequence") != numberIn(t, r, in, ".acknowledged") || numberIn(t, r, to, ".channel") != numberIn(t, r, in, ".channel") ||
					!strings.Contains(path, ".acknowledged") {
					t.Errorf("%s: %s leads to %s", name, path, r.Path(to))
				}
				acknowledged++
			}
			if p, ok := pieceOf(t, r, n); ok && p.HasContent() && isContent(path) {
				to, err := messages.Find(context.Background(), inner.NewReader(), p)
				if err != nil || to == nil {
					t.Fatalf("%s: %s is in no message: %v", name, path, err)
				}
				if !bytes.Contains(bytesIn(t, w, to), data[n.Start:n.End]) {
					t.Errorf("%s: %s is in %s", name, path, w.Path(to))
				}
				whole, _ := messages.Piece(w, to)
				if pieces++; whole.Packet < p.Packet {
					repeated++
				}
			}
		})
		eachBelow(t, w, inner.Base, func(n *tree.Node) {
			p, ok := messages.Piece(w, n)
			if !ok || n.Depth != 2 {
				return
			}
			to, err := carrier.Find(context.Background(), outer.NewReader(), p)
			if err != nil || to == nil {
				t.Fatalf("%s: %s is in no packet: %v", name, w.Path(n), err)
			}
			if path := r.Path(to); !isContent(path) || !bytes.Contains(bytesIn(t, w, n), data[to.Start:to.End]) {
				t.Errorf("%s: %s is in %s", name, w.Path(n), path)
			}
		})
		if packets != nil && acknowledged+pieces == 0 || repeated > pieces/5 {
			t.Errorf("%s: %d acknowledgements, %d pieces, %d of them sent again", name, acknowledged, pieces, repeated)
		}
		doc.Close()
	}
}

// pieceOf returns the content of other buffers that a value is in, with the number of its packet.
func pieceOf(t *testing.T, r *tree.Reader, n *tree.Node) (format.Piece, bool) {
	t.Helper()
	carrier, ok := r.Tree.Reading.(format.Carrier)
	if !ok {
		return format.Piece{}, false
	}
	p, ok := carrier.Piece(r, n)
	if ok && p.Packet == 0 && p.Record == 0 {
		var err error
		if p.Packet, err = carrier.(format.Counter).PacketAt(context.Background(), r, p.At); err != nil {
			return p, false
		}
	}
	return p, ok
}
