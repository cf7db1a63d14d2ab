package elephant_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"varview/decoder/engine/tree"
)

// smallFiles returns the real files, good and damaged, of at most a number of bytes.
func smallFiles(t testing.TB, most int) (blocks []Block) {
	t.Helper()
	for _, pattern := range []string{"*.bin", "corrupt/*.bin"} {
		names, _ := filepath.Glob(Folder + pattern)
		for _, name := range names {
			if b := RealBlock(t, name); len(b.Data) <= most {
				blocks = append(blocks, b)
			}
		}
	}
	if len(blocks) < 60 {
		t.Fatal(len(blocks), "files")
	}
	return blocks
}

// checkTiles checks that the fields of a block tile it.
func checkTiles(t testing.TB, tr *tree.Tree) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			return fmt.Errorf("%s at %d, %d bytes; expected at %d", f.Kind, f.Offset, f.Length, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("the fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
}
