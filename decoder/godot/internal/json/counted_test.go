package json_test

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/godot/internal/godottest"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// TestCounted holds that writing finds as many problems as checking, however many segments
// there are.
func TestCounted(t *testing.T) {
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 2))
	entry := "04000000 01000000 61000000 02000000 05000000"
	files := append(godottest.Files(t), godottest.File{Name: "repeated keys", Format: godottest.FormatOf("godot4"),
		Data: godottest.Bytes(t, "1c000000 01000000 1b000000 06000000"+strings.Repeat(" "+entry, 6))})
	for _, file := range files {
		if len(file.Data) == 0 {
			continue
		}
		data := file.Data
		for i := range 40 {
			var want, got int64
			count := func(p span.Problem, _ *tree.Node) {
				if p.Severity > span.Note {
					want++
				}
			}
			if err := godottest.TreeOf(file.Format, data).Check(ctx, tree.CheckOptions{Workers: 1}, count); err != nil {
				t.Fatal(err)
			}
			written := godottest.TreeOf(file.Format, data)
			if i%2 == 1 {
				written.TextSegment = 32
			}
			r := written.NewReader()
			if !r.CountProblems(&got) {
				t.Fatal("it counts nothing")
			}
			if err := r.WriteJSON(ctx, io.Discard, &written.Base.Value); err != nil || got != want {
				t.Fatalf("%s: % x: %d problems, want %d; %v", file.Name, data, got, want, err)
			}
			data = godottest.Mutated(random, file.Data)
		}
	}
}
