package random

import (
	"context"
	"fmt"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/literals"
)

// fresh are values that edits put in, besides those that the file has elsewhere.
var fresh = map[string][]string{
	"godot": {`null`, `true`, `42`, `-7`, `5000000000`, `1.5`, `1e300`, `""`, `"höhe"`, `&"name"`, `^"a/b:c"`, `Vector2(1, 2)`, `Vector2i(1, 2)`,
		`Color(1, 0, 0.5, 1)`, `[]`, `[1, "a", [null]]`, `{}`, `{ "k": [1, 2], 3: "v" }`, `PackedByteArray(1, 2, 3)`, `PoolByteArray(1, 2)`, `PackedInt64Array(1)`,
		`Array[int]([1, 2])`, `PackedStringArray("a")`},
	"json":     {`1`, `-2.50`, `"text"`, `"höhe"`, `null`, `true`, `[]`, `[1, {"a": 2}]`, `{}`, `{"k": [1, 2], "v": "x"}`},
	"kaitai":   {`1`, `200`, `1.5`, `"fr"`, `true`},
	"elephant": {`1`, `-2.5`, `1e300`, `u64(7004144412087999753)`, `"text"`, `""`, `true`, `undefined`, `[]`, `[1, 2, 3]`, `["a", 1, []]`, `{}`, `{ a: 1, b: [2, {}] }`, `u8(7)`, `s32(-4)`, `ref($)`, `default`},
	"":         {`1`, `-2.5`, `"text"`, `"höhe"`, `true`, `null`, `[]`, `[1, 2, 3]`, `{}`, `{"k": 1}`},
}

// families are the formats that take the values of another in fresh.
var families = map[string]string{"godot-text": "godot", "configfile": "godot", "resource": "godot", "jsonl": "json"}

// nodes returns all values, keys and elements of a buffer, without the buffer itself.
func nodes(b *model.Buffer) (all []*tree.Node) {
	s := b.Tree().Scanner()
	s.Elements = true
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		if n := s.Current(ev); ev != tree.Leave && n.Depth > 0 {
			all = append(all, n)
		}
	}
	return all
}

// literal returns a value to put in: one that the file has, or another.
func (c *trial) literal() string {
	if c.r.IntN(3) > 0 {
		all := nodes(c.before.Innermost())
		n := all[c.r.IntN(len(all))]
		if text, err := literals.Full(c.ctx, c.before.Innermost().Tree().NewReader(), n); err == nil && len(text) < 1000 {
			return text
		}
	}
	family := c.before.Format
	if fresh[family] == nil {
		family = families[family]
	}
	return fresh[family][c.r.IntN(len(fresh[family]))]
}

// edit makes a random edit of a value, or beside it, and says which.
func (c *trial) edit(t *model.Transaction, n *tree.Node) (did string, err error) {
	path := t.Reader().Path(n)
	o := edit.Options{Retype: c.r.IntN(2) == 0, Infer: c.r.IntN(2) == 0, Orphans: edit.Orphans(c.r.IntN(3))}
	count := max(0, min(n.Count, 1000))
	switch c.r.IntN(8) {
	case 0, 1, 2:
		literal := c.literal()
		return fmt.Sprintf("set %s to %s (%+v)", path, literal, o), t.Set(c.ctx, n, edit.Content{Literal: literal}, o)
	case 3, 4:
		return fmt.Sprintf("delete %s (%+v)", path, o), t.Delete(c.ctx, n, o)
	case 5:
		if n.Parent == nil {
			return "", nil
		}
		to := c.r.Int64N(max(1, min(n.Parent.Count, 1000)))
		return fmt.Sprintf("move %s to %d", path, to), t.Move(c.ctx, n, to, o)
	case 6:
		types := c.types(t, n)
		if len(types) == 0 {
			return "", nil
		}
		name := types[c.r.IntN(len(types))]
		return fmt.Sprintf("retype %s to %s", path, name), t.Retype(c.ctx, n, name, o)
	}
	return c.insert(t, n, c.r.Int64N(count+1), o)
}

func (c *trial) types(t *model.Transaction, n *tree.Node) []string {
	e, err := c.before.Innermost().Editor()
	if err != nil {
		return nil
	}
	return e.Types(t.Reader(), n)
}

func (c *trial) insert(t *model.Transaction, n *tree.Node, index int64, o edit.Options) (did string, err error) {
	if n.Layout < tree.Sequence && n.Parent != nil && c.r.IntN(2) == 0 {
		index, n = n.Slot.Index, n.Parent
	}
	key := ""
	if step := t.Reader().Step(n); n.Layout == tree.Pairs || strings.HasPrefix(step, ".") && c.r.IntN(4) == 0 {
		key = []string{fmt.Sprintf(`"key%d"`, c.r.IntN(20)), `"m"`}[c.r.IntN(2)]
		if keys := c.keys(n); len(keys) > 0 && c.r.IntN(2) == 0 {
			key = keys[c.r.IntN(len(keys))]
		}
	}
	literal := c.literal()
	return fmt.Sprintf("insert %s %s into %s at %d (%+v)", key, literal, t.Reader().Path(n), index, o),
		t.Insert(context.Background(), n, index, edit.Content{Key: key, Literal: literal}, o)
}

// keys returns the literals of keys in other containers of the file.
func (c *trial) keys(in *tree.Node) (keys []string) {
	r := c.before.Innermost().Tree().NewReader()
	for _, n := range nodes(c.before.Innermost()) {
		if n.Slot.Key && n.Parent.ID() != in.ID() {
			if text, err := literals.Full(c.ctx, r, n); err == nil {
				keys = append(keys, text)
			}
		}
	}
	return keys
}
