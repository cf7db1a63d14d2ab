package span

import "testing"

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		span Span
		text string
		end  int64
	}{
		{Span{16, 4}, "0x10–0x13", 20},
		{Span{16, 1}, "0x10", 17},
		{Between(16, 16), "0x10", 16},
		{Between(16, 3), "0x10", 16},
	} {
		if c.span.String() != c.text || c.span.End() != c.end {
			t.Errorf("%v ends at %d, not %s at %d", c.span, c.span.End(), c.text, c.end)
		}
	}
	if s := (Span{4, 2}); s.Contains(3) || !s.Contains(4) || !s.Contains(5) || s.Contains(6) {
		t.Error("contains the wrong bytes")
	}
}

func TestKinds(t *testing.T) {
	names, marks := map[string]bool{}, map[rune]bool{}
	for _, k := range Kinds() {
		if names[k.String()] || k.String() == "" || marks[k.Mark()] || k.Meaning() == "" {
			t.Errorf("kind %d: %q %q %q", k, k.String(), k.Mark(), k.Meaning())
		}
		names[k.String()], marks[k.Mark()] = true, true
	}
	if k := Kind(200); k.String() != "kind 200" || k.Mark() != ' ' || k.Meaning() != "" {
		t.Errorf("%v %q %q", k, k.Mark(), k.Meaning())
	}
}

func TestEvidence(t *testing.T) {
	for _, c := range []struct {
		p    Problem
		want bool
	}{
		{Problem{Severity: Error, Code: Truncated}, true},
		{Problem{Severity: Warning, Code: BoolValue}, true},
		{Problem{Severity: Note, Code: ObjectInData}, false},
		{Problem{Severity: Warning, Code: EngineReadBack}, false},
		{Problem{Severity: Error, Code: ReadFailed}, false},
	} {
		if c.p.IsEvidence() != c.want {
			t.Errorf("%v %s: %v", c.p.Severity, c.p.Code, !c.want)
		}
	}
	if Severity(7).String() != "severity 7" || Error.String() != "error" {
		t.Error("names of severities")
	}
}
