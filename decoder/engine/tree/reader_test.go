package tree_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// TestRandomValues compares the tree with a reader that was written from the specification alone, and every
// way to find a value with a full walk.
func TestRandomValues(t *testing.T) {
	for _, d := range godot.Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			for seed := range uint64(randomRounds(40)) {
				stream, double := seed%2 == 1, seed%5 == 4 && d.HasDouble() && d.Name != "godot4"
				m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), dialect: d.Name, double: double, left: 60}
				f := godot.New(godot.Settings{Dialect: d, Double: double, BigEndian: seed%4 == 3})
				if stream {
					f.Framing = godot.Stream
				}
				data := m.buffer(stream, f.BigEndian)
				w := consistent(t, data, func() tree.Reading { return f }, span.Between(0, int64(len(data))))
				r := naive{dialect: d.Name, double: double, b: data}
				if diff := r.buffer(stream).differ(w.root, "$"); diff != "" {
					t.Fatalf("seed %d: %s\n%x", seed, diff, data)
				}
				if len(r.fields) != len(w.fields) {
					t.Fatalf("seed %d: %d fields, not %d", seed, len(w.fields), len(r.fields))
				}
				for i, f := range w.fields {
					if f.Span != r.fields[i].Span || f.Kind != r.fields[i].Kind {
						t.Fatalf("seed %d: field %v %v, not %v %v", seed, f.Span, f.Kind, r.fields[i].Span, r.fields[i].Kind)
					}
				}
			}
		})
	}
}

// TestDamagedValues cuts and changes well-formed buffers: whatever is read, all ways to find it agree.
func TestDamagedValues(t *testing.T) {
	for _, d := range godot.Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			for seed := range uint64(randomRounds(200)) {
				m := &maker{Rand: rand.New(rand.NewPCG(seed, 2)), dialect: d.Name, left: 40}
				f := godot.New(godot.Settings{Dialect: d})
				if seed%2 == 1 {
					f.Framing = godot.Stream
				}
				data := m.buffer(seed%2 == 1, false)
				for range m.IntN(3) + 1 {
					data[m.IntN(len(data))] ^= 1 << m.IntN(8)
				}
				if m.IntN(2) == 0 {
					data = data[:m.IntN(len(data))]
				}
				from := int64(m.IntN(len(data)/8 + 1))
				consistent(t, data, func() tree.Reading { return f }, span.Between(from, int64(len(data)-m.IntN(len(data)/8+1))))
			}
		})
	}
}

// TestBudget checks that a reader with a small budget gives no wrong answer.
func TestBudget(t *testing.T) {
	d, _ := godot.ByName("godot4")
	for seed := range uint64(50) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 3)), dialect: d.Name, left: 60}
		data := m.buffer(false, false)
		tr := tree.New(source.Bytes(data), godot.New(godot.Settings{Dialect: d}), span.Between(0, int64(len(data))))
		w := walkAll(t, tr)
		r := tr.NewReader()
		r.Budget = 5
		for _, f := range w.fields {
			if n, err := r.At(f.Offset); err != tree.ErrPending && !n.Same(w.values[f.owner].Node) {
				t.Fatalf("at %d: %v", f.Offset, describe(n))
			}
		}
		for _, m := range w.values[1:] {
			if n, err := r.Child(m.Parent, m.Slot.Index); !m.Slot.Key && err != tree.ErrPending && !n.Same(m.Node) {
				t.Fatalf("%s: %v %v", m.path, describe(n), err)
			}
		}
	}
}

// TestBeside: readers find everything while the index is being built.
func TestBeside(t *testing.T) {
	data := append(words(28, 30_000), bytes.Repeat(words(27, 1, 4, 1, 'x', 28, 1, 2, 7), 30_000)...)
	tr := open(t, "godot4", godot.Raw, data)
	tr.SetSpacing(256, 0)
	done := make(chan error)
	go func() { done <- tr.BuildIndex(context.Background()) }()
	r := tr.NewReader()
	r.Budget = 10_000
	for i := range int64(2_000) {
		i = i * 7919 % 30_000
		at := 8 + i*36 + 32
		n, err := r.At(at)
		if err == tree.ErrPending {
			continue
		}
		if err != nil || r.Path(n) != fmt.Sprintf("$[%d].x[0]", i) {
			t.Fatalf("at %d: %v %v", at, describe(n), err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if reached, done := tr.Indexed(); !done || reached < int64(len(data))-512 || r.Count(tr.Base) != 1 {
		t.Errorf("reached %d, %v", reached, done)
	}
}
