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

// TestLinksOfCaptures: the data of commands and datagrams lead to their message, and messages to their packets.
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
		carrier, messages := outer.Reading.(format.Carrier), inner.Reading.(format.Carrier)
		r, w := outer.NewReader(), inner.NewReader()
		pieces := 0
		eachBelow(t, r, outer.Base, func(n *tree.Node) {
			path := r.Path(n)
			if p, ok := carrier.Piece(r, n); ok && !p.IsNear && isContent(path) {
				to, err := messages.Find(context.Background(), inner.NewReader(), p)
				if err != nil || to == nil {
					t.Fatalf("%s: %s is in no message: %v", name, path, err)
				}
				if pieces++; !bytes.Contains(bytesIn(t, w, to), data[n.Start:n.End]) {
					t.Errorf("%s: %s is in %s", name, path, w.Path(to))
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
		if pieces == 0 {
			t.Errorf("%s: no pieces", name)
		}
		doc.Close()
	}
}
