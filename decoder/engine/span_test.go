package engine_test

import (
	"testing"

	"varview/decoder/engine/span"
)

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		span span.Span
		text string
		end  int64
	}{
		{span.Span{Offset: 16, Length: 4}, "0x10–0x13", 20},
		{span.Span{Offset: 16, Length: 1}, "0x10", 17},
		{span.Between(16, 16), "0x10", 16},
		{span.Between(16, 3), "0x10", 16},
	} {
		if c.span.String() != c.text || c.span.End() != c.end {
			t.Errorf("%v ends at %d, not %s at %d", c.span, c.span.End(), c.text, c.end)
		}
	}
	if s := (span.Span{Offset: 4, Length: 2}); s.Contains(3) || !s.Contains(4) || !s.Contains(5) || s.Contains(6) {
		t.Error("contains the wrong bytes")
	}
}

func TestKinds(t *testing.T) {
	names, marks := map[string]bool{}, map[rune]bool{}
	for _, k := range span.Kinds() {
		if names[k.String()] || k.String() == "" || marks[k.Mark()] || k.Meaning() == "" {
			t.Errorf("kind %d: %q %q %q", k, k.String(), k.Mark(), k.Meaning())
		}
		names[k.String()], marks[k.Mark()] = true, true
	}
	if k := span.Kind(200); k.String() != "kind 200" || k.Mark() != ' ' || k.Meaning() != "" {
		t.Errorf("%v %q %q", k, k.Mark(), k.Meaning())
	}
}

func TestEvidence(t *testing.T) {
	for _, c := range []struct {
		p    span.Problem
		want bool
	}{
		{span.Problem{Severity: span.Error, Code: span.Truncated}, true},
		{span.Problem{Severity: span.Warning, Code: span.BoolValue}, true},
		{span.Problem{Severity: span.Note, Code: span.ObjectInData}, false},
		{span.Problem{Severity: span.Warning, Code: span.EngineReadBack}, false},
		{span.Problem{Severity: span.Error, Code: span.ReadFailed}, false},
	} {
		if c.p.IsEvidence() != c.want {
			t.Errorf("%v %s: %v", c.p.Severity, c.p.Code, !c.want)
		}
	}
	if span.Severity(7).String() != "severity 7" || span.Error.String() != "error" {
		t.Error("names of severities")
	}
}
