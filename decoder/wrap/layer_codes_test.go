package wrap

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"varview/decoder/wrap/layer"
)

// TestLayerCodes: each code has one entry, with a description.
func TestLayerCodes(t *testing.T) {
	text, err := os.ReadFile("layer/layer.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ += "([a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
		named[m[1]] = true
	}
	for _, c := range layer.Codes {
		if !named[c.Code] || c.About == "" || strings.HasSuffix(c.About, ".") || strings.HasSuffix(c.Repair, ".") {
			t.Errorf("%+v", c)
		}
		delete(named, c.Code)
	}
	if len(named) > 0 {
		t.Errorf("not described: %v", named)
	}
}
