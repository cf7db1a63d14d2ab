package elephant_test

import (
	"bytes"
	"context"
	"testing"

	"varview/decoder/engine/tree"
)

// literalOf is the text of a value.
func literalOf(t testing.TB, tr *tree.Tree, v *tree.Value) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.NewReader().WriteText(context.Background(), &out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
