package cli

import (
	"fmt"
	"strings"
	"testing"

	"varview/cli/output"
	"varview/cli/report"
)

// TestBaseline: a problem is known as often as it was printed, even if its path was shortened.
func TestBaseline(t *testing.T) {
	deep := "$" + strings.Repeat(".inside", 2000)
	line := fmt.Sprintf(`{"file":"a.dat","code":"truncated","path":%s}`, output.AppendPathJSON(nil, []byte(deep)))
	b, err := report.ReadBaseline("known.json", []byte(line+"\n"+line+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, known := range []bool{true, true, false} {
		if b.Takes("./a.dat", "truncated", deep) != known {
			t.Errorf("time %d: known is not %v", i, known)
		}
	}
	if b.Takes("a.dat", "truncated", "$.inside") || b.Takes("b.dat", "truncated", deep) {
		t.Error("another place is known")
	}
}
