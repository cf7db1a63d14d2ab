package elephant

import (
	"strings"
	"testing"
)

// TestDeclaredVersion: only the block of the outermost value counts.
func TestDeclaredVersion(t *testing.T) {
	for _, c := range []struct{ values, want string }{
		{`{"type":"struct","elephant":{"version":"1.2.0","header":"PELE"},"id":0`, "1.2.0"},
		{` { "type" : "u8", "any": 1, "tag": 14, "elephant" : { "version" : "1.0.0" }, "value": 1 }`, "1.0.0"},
		{`{"value":[{"a":[1,{}]}],"elephant":{"version":"1.5.1"}}`, "1.5.1"},
		{`{"value":{"elephant":{"version":"1.5.1"}}}`, ""},
		{`{"elephant":{"version":151}}`, ""},
		{`{"elephant":"1.5.1"}`, ""},
		{`{"elephant":`, ""},
		{`{"value":"` + strings.Repeat("x", aheadBytes) + `","elephant":{"version":"1.5.1"}}`, ""},
		{`[{"elephant":{"version":"1.5.1"}}]`, ""},
		{`"elephant"`, ""},
		{`{"type" "elephant"`, ""},
		{``, ""},
	} {
		if got := versionIn([]byte(c.values[:min(len(c.values), aheadBytes)])); got != c.want {
			t.Errorf("%.60s: %q, want %q", c.values, got, c.want)
		}
	}
}
