package endtoend

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A field is a line of dump --json.
type field struct {
	Buffer, Offset, Length   int64
	Kind, Label, Path, Value string
}

// String is the field as a row of a table: offset, length, kind, label, path,
// value.
func (f field) String() string {
	return strings.TrimSpace(fmt.Sprintf("%d %d %s | %s | %s | %s", f.Offset, f.Length, f.Kind, f.Label, f.Path, f.Value))
}

// TestFields compares the fields of files with tables written by hand from the
// bytes and the specification.
func TestFields(t *testing.T) {
	kinds := map[string]bool{}
	for _, want := range fieldTables {
		t.Run(want.name, func(t *testing.T) {
			var got []string
			args := append([]string{"dump", "--json", "testdata/" + want.name + ".bin"}, want.args...)
			for line := range strings.Lines(run(t, 0, args...).stdout) {
				var f field
				decode(t, line, &f)
				got = append(got, f.String())
			}
			rows := strings.Split(strings.TrimSpace(want.fields), "\n")
			for i := range rows {
				rows[i] = strings.TrimSpace(rows[i])
				kinds[strings.Fields(rows[i])[2]] = true
			}
			if !slices.Equal(got, rows) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(rows, "\n"))
			}
		})
	}
	for _, kind := range strings.Fields("type flags length value text data padding terminator id gap") {
		if !kinds[kind] {
			t.Errorf("no table has a field of the kind %s", kind)
		}
	}
}
