package wrap

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// sniffSlipped tells the wrapper whose magic has lost some of its bytes, or has some
// too many, if the rest has the sizes that the header says.
func sniffSlipped(src source.Source, region span.Span, head []byte) (k Kind, ok bool) {
	for _, w := range []struct {
		kind  Kind
		magic string
		looks func(*source.Window, span.Span) bool
	}{{GCPF, gcpfMagic, looksGCPF}, {GDEC, gdecMagic, looksGDEC}} {
		if w.kind == GDEC && region.Length > slipFile {
			continue // it would not be opened
		}
		for _, undo := range magicSlips(head, w.magic) {
			undo.Offset += region.Offset
			s := newSlip(src, region, undo)
			if w.looks(source.NewWindow(s.src), s.region) {
				return w.kind, true
			}
		}
	}
	return 0, false
}

// magicSlips are the ways to make bytes begin with a signature by putting some in, or
// taking some out.
func magicSlips(head []byte, magic string) (all []source.Splice) {
	for n := 1; n <= maxSlip; n++ {
		for at := range len(magic) {
			if len(head) >= len(magic)+n && string(head[:at]) == magic[:at] && string(head[at+n:len(magic)+n]) == magic[at:] {
				all = append(all, takeOut(span.Span{Offset: int64(at), Length: int64(n)}))
			}
			stays := max(at, len(magic)-n) // bytes of it that are there
			if len(head) < stays || at+n < len(magic) && string(head[at:stays]) != magic[at+n:] || string(head[:at]) != magic[:at] {
				continue
			}
			if at == 0 && n >= len(magic)-1 {
				continue // next to nothing of it is there
			}
			lost := make([]byte, n)
			copy(lost, magic[at:])
			all = append(all, source.Put(int64(at), 0, lost))
		}
	}
	return all
}

// isCutMagic tells the wrapper whose magic the bytes end in.
func isCutMagic(head []byte) (k Kind, ok bool) {
	switch string(head) {
	case "G", "GC", "GCP":
		return GCPF, true
	case "GD", "GDE":
		return GDEC, true
	}
	return 0, false
}
