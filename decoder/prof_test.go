package decoder

import (
	"context"
	"io"
	"os"
	"testing"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

func BenchmarkCheck(b *testing.B) {
	data, err := os.ReadFile("/tmp/b/dict3.bin")
	if err != nil { b.Skip() }
	b.SetBytes(int64(len(data)))
	f, _ := source.OpenFile("/tmp/b/dict3.bin")
	for b.Loop() {
		d, _ := Open(context.Background(), f, Options{})
		d.Tree.BuildIndex(context.Background(), func(span.Problem, *tree.Scanner) {})
	}
}
func BenchmarkIndex(b *testing.B) {
	data, err := os.ReadFile("/tmp/b/dict3.bin")
	if err != nil { b.Skip() }
	b.SetBytes(int64(len(data)))
	f, _ := source.OpenFile("/tmp/b/dict3.bin")
	for b.Loop() {
		d, _ := Open(context.Background(), f, Options{})
		d.Tree.BuildIndex(context.Background(), nil)
	}
}
func BenchmarkExport(b *testing.B) {
	data, err := os.ReadFile("/tmp/b/dict4.bin")
	if err != nil { b.Skip() }
	b.SetBytes(int64(len(data)))
	f, _ := source.OpenFile("/tmp/b/dict4.bin")
	for b.Loop() {
		d, _ := Open(context.Background(), f, Options{})
		d.Tree.Format.WriteJSON(context.Background(), io.Discard, d.Tree.NewReader(), &d.Tree.Base.Value)
	}
}
