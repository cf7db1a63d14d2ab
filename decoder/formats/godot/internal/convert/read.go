package convert

import (
	_ "embed"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strconv"
	"strings"
	"sync"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// A reader reads what a file of resources says by the names of its parts, which text and binary files share.
type reader struct {
	*tree.Reader
	err error
}

// ReadFile returns what a file says. Its properties are read as they are asked for.
func ReadFile(r *tree.Reader, stored Target) (*File, error) {
	root, err := r.Child(r.Tree.Base, 0)
	if err != nil {
		return nil, err
	}
	n := &reader{Reader: r}
	head := n.parts(root)
	f := &File{Target: stored, Class: n.text(head["type"]), Script: n.text(head["script_class"]), UID: n.uid(head["uid"])}
	for x := range n.children(head["external"]) {
		is := n.parts(x)
		f.External = append(f.External, External{ID: n.text(is["id"]), Class: n.text(is["type"]), Path: n.text(is["path"]), UID: n.uid(is["uid"])})
	}
	for x := range n.children(head["resources"]) {
		is := n.parts(x)
		to := Resource{ID: n.text(is["id"]), Class: f.Class, Path: fmt.Sprintf("$.resources[%d].properties", x.Slot.Index)}
		if is["type"] != nil {
			to.Class = n.text(is["type"])
		}
		to.Properties = func(yield func(name string, n *tree.Node) bool) {
			for p := range n.children(is["properties"]) {
				if !yield(n.text(n.Key(p)), p) {
					return
				}
			}
		}
		f.Resources = append(f.Resources, to)
	}
	return f, errors.Join(n.err, r.Window().Err())
}

// children returns those of a value, none where there is no value.
func (n *reader) children(of *tree.Node) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		if of == nil {
			return
		}
		for c, err := n.Child(of, 0); err == nil && yield(c); c, err = n.Next(c) {
		}
	}
}

// parts returns the parts of a record by their names.
func (n *reader) parts(record *tree.Node) map[string]*tree.Node {
	parts := map[string]*tree.Node{}
	for c := range n.children(record) {
		parts[strings.TrimPrefix(n.Step(c), ".")] = c
	}
	return parts
}

// text returns the text of a value, of a number its digits, "" for no value.
func (n *reader) text(of *tree.Node) string {
	if of == nil {
		return ""
	}
	text := string(n.AppendLiteral(nil, &of.Value, notation.MaxText))
	l, err := literal.Parse(types.TextAny, text)
	n.err = errors.Join(n.err, err)
	if l.Kind == types.String {
		return string(l.Text)
	}
	return text
}

// uid returns a uid, which is a number or its text, -1 for none.
func (n *reader) uid(of *tree.Node) int64 {
	text := n.text(of)
	uid, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		uid, err = parseUID(text)
	}
	n.err = errors.Join(n.err, err)
	return uid
}

// Digits of uids in text, which are in base 34.
const (
	digits   = "abcdefghijklmnopqrstuvwxy012345678"
	uidStart = "uid://"
)

// FormatUID returns the text of a uid; "" for -1, which means none.
func FormatUID(uid int64) string {
	if uid < 0 {
		return ""
	}
	text := ""
	for ; uid > 0 || text == ""; uid /= int64(len(digits)) {
		text = digits[uid%int64(len(digits)):][:1] + text
	}
	return uidStart + text
}

// parseUID returns the uid of a text: -1 for an empty text and for the text that means none.
func parseUID(text string) (uid int64, err error) {
	rest, ok := strings.CutPrefix(text, uidStart)
	if text == "" || rest == "<invalid>" {
		return -1, nil
	}
	for _, c := range []byte(rest) {
		n := strings.IndexByte(digits, c)
		if ok = ok && n >= 0 && uid <= (1<<63-1-int64(n))/int64(len(digits)); !ok {
			break
		}
		uid = uid*int64(len(digits)) + int64(n)
	}
	if !ok || rest == "" {
		return -1, fmt.Errorf("%q is not a uid", text)
	}
	return uid, nil
}

// renamed are the classes that have another name in Godot 4, each after its name in Godot 3. The source is
// the list class_renames of the engine's own project converter (editor/renames_map_3_to_4.cpp of Godot 4),
// without its entries for the classes of unfinished versions of Godot 4, and without two that turn
// something else into a Node3D: ARVRInterfaceGDNative and TextFile.
var renamed = sync.OnceValue(func() map[string]string { return pairs(classes) })

//go:embed classes.txt
var classes string

// inBoth are classes that other classes were merged into and that Godot 3 has under the same name: a
// conversion to Godot 3 keeps them.
const inBoth = `Button ImageTexture JSON Node2D Popup ResourceLoader Sky Tween VisualShaderNode`

// main is the class of Godot 3 for each class of Godot 4 that replaces several.
const main = `Camera3D Camera	FontFile DynamicFont	MultiplayerPeerExtension NetworkedMultiplayerCustom
	VisualShaderNodeClamp VisualShaderNodeScalarClamp	VisualShaderNodeMix VisualShaderNodeScalarInterp
	VisualShaderNodeSmoothStep VisualShaderNodeScalarSmoothStep`

// original are the classes of Godot 3, by their names in Godot 4.
var original = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for three, four := range renamed() {
		all[four] = three
	}
	maps.Copy(all, pairs(main))
	for _, four := range strings.Fields(inBoth) {
		delete(all, four)
	}
	return all
})

func pairs(text string) map[string]string {
	words, all := strings.Fields(text), map[string]string{}
	for i := 0; i < len(words); i += 2 {
		all[words[i]] = words[i+1]
	}
	return all
}
