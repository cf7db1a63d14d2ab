package wrap

import (
	"bytes"
	"fmt"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// A tally counts mutations.
type tally struct {
	all       int // that change what is read
	valid     int // that give another file with nothing wrong
	silent    int // of these without a problem
	reported  int // within the field or its part
	sizes     int // of lengths, sizes and cuts
	first     int // of these with the true cause first
	enough    int // of these that can be undone
	restored  int
	missedOut []string
}

// TestMutations gives each byte of each structural field of every real GCPF and GDEC three other values,
// and cuts each file at 400 lengths, small ones at every one. All changes but two are reported (a FastLZ
// block that is filled up with zeros may hold one more), 94 in 100 within the field or its part. Of the
// lengths, sizes and cuts, 85 in 100 have the true cause first, and 66 in 100 of those that can be undone
// are undone: no other mode, block size or number of blocks is searched for.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("opens some thousand damaged files")
	}
	var sum tally
	for _, c := range realFiles {
		if c.kind != GCPF && c.kind != GDEC {
			continue
		}
		m := &mutant{tally: &sum, name: c.name, kind: c.kind, good: load(t, c.name), o: options(t, c.key, c.password)}
		m.plain = payload(t, open(t, m.kind, m.good, m.o))
		for _, f := range m.structure(t) {
			m.field(t, f)
		}
		for n := 4; n < len(m.good); n += max(1, len(m.good)/100) {
			m.cut(t, n)
		}
	}
	t.Logf("%d mutations, %d more give another valid file; %d reported (%.1f %%); of %d lengths, sizes and cuts %d have the cause first (%.1f %%); of %d that can be undone %d are (%.1f %%)",
		sum.all, sum.valid, sum.reported, share(sum.reported, sum.all), sum.sizes, sum.first, share(sum.first, sum.sizes), sum.enough, sum.restored, share(sum.restored, sum.enough))
	for _, missed := range sum.missedOut[:min(len(sum.missedOut), 40)] {
		t.Log(missed)
	}
	if sum.silent > 2 || share(sum.reported, sum.all) < 94 || share(sum.first, sum.sizes) < 85 || share(sum.restored, sum.enough) < 66 || sum.all < 1000 {
		t.Errorf("too few, or %d without a word", sum.silent)
	}
}

func share(n, all int) float64 { return 100 * float64(n) / float64(max(1, all)) }

// A mutant is a real file that is damaged in many ways.
type mutant struct {
	*tally
	name  string
	kind  Kind
	good  []byte
	plain []byte
	o     Options
}

// structure returns the fields of the good file that say how to read it.
func (m *mutant) structure(t *testing.T) (fields []span.Field) {
	for _, f := range fieldsOf(t, open(t, m.kind, m.good, m.o), m.good) {
		if f.Kind != span.Data {
			fields = append(fields, f)
		}
	}
	return fields
}

// head is where header and table end.
func (m *mutant) head(t *testing.T) int64 {
	for _, f := range fieldsOf(t, open(t, m.kind, m.good, m.o), m.good) {
		if f.Kind == span.Data {
			return f.Offset
		}
	}
	return int64(len(m.good))
}

// field gives each byte of a field three other values.
func (m *mutant) field(t *testing.T, f span.Field) {
	head := m.head(t)
	part := span.Between(0, head)
	if f.Offset >= head {
		part = span.Between(head, int64(len(m.good)))
	}
	for at := f.Offset; at < f.End(); at++ {
		for _, by := range []byte{1, 0x80, 0xff} {
			bad := put(m.good, int(at), m.good[at]^by)
			p := m.examine(t, bad)
			if p == nil {
				m.all++
				m.missed("%s: %v at %d ^%#x is not recognised", m.name, f.Label, at, by)
				continue
			}
			if len(p.found) == 0 && m.reads(t, bad) {
				m.valid++
				continue
			}
			m.all++
			if len(p.found) == 0 {
				m.silent++
				m.missedOut = append([]string{fmt.Sprintf("%s: silent: %v at %d ^%#x", m.name, f.Label, at, by)}, m.missedOut...)
			}
			if len(p.found) > 0 && meets(p.found[0].Span, part) {
				m.reported++
			} else {
				m.missed("%s: %v at %d ^%#x: %q", m.name, f.Label, at, by, p.told())
			}
			exact := len(p.found) > 0 && meets(p.found[0].Span, f.Span)
			if f.Kind == span.Length {
				m.sizes++
				if exact {
					m.first++
				} else {
					m.missed("%s: cause of %v at %d ^%#x: %q", m.name, f.Label, at, by, p.told())
				}
			}
			m.enough++
			if m.restores(t, p, m.good) {
				m.restored++
			} else {
				m.missed("%s: not restored: %v at %d ^%#x: %q", m.name, f.Label, at, by, p.told())
			}
		}
	}
}

// cut checks the first n bytes of the file. Only the loss of a signature or of filler can be undone.
func (m *mutant) cut(t *testing.T, n int) {
	bad := m.good[:n]
	m.all++
	m.sizes++
	p := m.examine(t, bad)
	if p == nil || len(p.found) == 0 {
		m.missed("%s: cut at %d: nothing is told", m.name, n)
		return
	}
	m.reported++
	switch p.found[0].Code {
	case span.Truncated, layer.MissingTrailer:
		m.first++
	default:
		m.missed("%s: cut at %d: %q", m.name, n, p.told())
	}
	if m.kind == GCPF && n >= len(m.good)-4 {
		m.enough++
		if m.restores(t, p, m.good) {
			m.restored++
		}
	}
}

func (m *mutant) examine(t *testing.T, bad []byte) *patient {
	src := source.Bytes(bad)
	if kinds := Sniff(src, span.Between(0, src.Size()), ""); len(kinds) == 0 || kinds[0] != m.kind {
		return nil
	}
	p := examine(t, m.kind, bad, m.o, m.plain)
	checkRepairs(t, p)
	return p
}

// reads reports whether the payload is the same.
func (m *mutant) reads(t *testing.T, bad []byte) bool {
	return bytes.Equal(payload(t, open(t, m.kind, bad, m.o)), m.plain)
}

// restores reports whether the repair of the first problem restores these bytes.
func (m *mutant) restores(t *testing.T, p *patient, want []byte) bool {
	if len(p.found) == 0 {
		return false
	}
	data, _, err := p.repair(t, &p.found[0])
	return err == nil && bytes.Equal(data, want)
}

func (m *mutant) missed(format string, args ...any) {
	m.missedOut = append(m.missedOut, fmt.Sprintf(format, args...))
}

func meets(a, b span.Span) bool {
	return a.Offset < b.End() && b.Offset < a.End() || a.Length == 0 && a.Offset >= b.Offset && a.Offset <= b.End()
}

// TestTextMutations inserts a character before every second one of every real text, or replaces it, and in
// every real dump replaces a digit. Changes of what is read are reported within their line or the next one,
// and those that can be undone are.
func TestTextMutations(t *testing.T) {
	var sum tally
	for _, c := range realFiles {
		if c.kind != Base64 && c.kind != Hex {
			continue
		}
		m := &mutant{tally: &sum, name: c.name, kind: c.kind, good: load(t, c.name), o: options(t, "", "")}
		l := open(t, m.kind, m.good, m.o)
		m.plain = payload(t, l)
		dump := l.Title != "hex" && l.Title != "base64"
		for at, ch := range m.good {
			switch {
			case !dump && at%2 == 1:
				m.text(t, put(m.good, at, '!'), at, false)
			case !dump:
				m.text(t, with(m.good, at, '!'), at, true)
				if ch == '=' {
					m.text(t, without(m.good, at, 1), at, true)
				}
			case bytes.IndexByte([]byte("123456789abcdefABCDEF"), ch) >= 0 && at%3 == 0:
				m.text(t, put(m.good, at, '~'), at, false)
			}
		}
	}
	t.Logf("%d mutations, %d more are valid; %d reported (%.1f %%); of %d that can be undone %d are (%.1f %%)", sum.all, sum.valid,
		sum.reported, share(sum.reported, sum.all), sum.enough, sum.restored, share(sum.restored, sum.enough))
	for _, missed := range sum.missedOut[:min(len(sum.missedOut), 40)] {
		t.Log(missed)
	}
	if share(sum.reported, sum.all) < 97 || share(sum.restored, sum.enough) < 90 || sum.all < 1000 {
		t.Error("too few")
	}
}

// text examines a text that was changed at some place.
func (m *mutant) text(t *testing.T, bad []byte, at int, enough bool) {
	p := examine(t, m.kind, bad, m.o, nil)
	checkRepairs(t, p)
	if len(p.found) == 0 && m.reads(t, bad) {
		m.valid++
		return
	}
	m.all++
	line := bytes.LastIndexByte(bad[:at], '\n') + 1
	end := line
	for range 2 {
		if n := bytes.IndexByte(bad[end:], '\n'); n >= 0 {
			end += n + 1
		} else {
			end = len(bad)
		}
	}
	if len(p.found) > 0 && meets(p.found[0].Span, span.Between(int64(max(0, line-1)), int64(end))) {
		m.reported++
	} else {
		m.missed("%s: changed at %d: %q", m.name, at, p.told())
	}
	if !enough {
		return
	}
	m.enough++
	if m.restores(t, p, m.good) {
		m.restored++
	} else {
		m.missed("%s: not restored: changed at %d: %q", m.name, at, p.told())
	}
}
