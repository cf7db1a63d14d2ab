package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// withType returns the literal of a container with the type that an old one has, if it is one of StringNames and the literal fits it.
func (r *reading) withType(n *tree.Reader, was *tree.Value, text string) string {
	if _, of := head(n.Window(), was); slices.Contains(of, "StringName") {
		typed := fmt.Sprintf("%s(%s)", r.AppendType(nil, n.Window(), was), text)
		if _, err := literal.Parse(r.engine, typed); err == nil {
			return typed
		}
	}
	return text
}

// CanSet implements edit.Partial.
func (r *reading) CanSet(_ *tree.Reader, at *tree.Node) bool {
	return (at.Parent == nil || at.Inner == 0 || at.Inner == inVectors) && !(r.isFile() && at.Depth <= 1)
}

// checkPart returns an error if a value is a part of a file that cannot be set, or content is no name of a section, or that of another.
func (r *reading) checkPart(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) error {
	isSection := at.Slot.Key && isConfig(&at.Parent.Value)
	switch {
	case isSection && at.Inner >= implied:
		return errNone
	case !r.CanSet(n, at):
		return errNoPart
	case at.Slot.Key && r.isFile():
		return r.needs(n, at)
	case !isSection || c.Copy != nil:
		return nil
	}
	if l, err := literal.Parse(r.engine, c.Literal); err != nil || l.Kind != types.String {
		return cmp.Or(err, errSection)
	}
	return edit.CheckFreeKey(ctx, n, o.Together, at.Parent, at.Slot.Index, c.Literal, notation.MaxText)
}

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if err := r.checkPart(ctx, n, at, c, o); err != nil {
		return nil, err
	}
	if err := r.allows(ctx, &c, o); err != nil {
		return nil, err
	}
	if o.Infer && !o.Retype && c.Copy == nil {
		c.Literal = r.withType(n, &at.Value, c.Literal)
	}
	splices, err := r.Editor.Set(ctx, n, at, c, o)
	if err == nil && len(splices) > 0 && !at.Slot.Key && at.Parent != nil && at.Parent.Inner == inTag && at.Parent.Rows <= kindResources && n.Step(at) == ".id" {
		refers, err := r.followID(ctx, n, at, c, o)
		if err != nil {
			return nil, err
		}
		splices = append(splices, refers...)
		source.Sort(splices)
	}
	return splices, cmp.Or(err, n.Window().Err())
}

// followID returns what lets the references to a resource lead to it when its id is set, or an error if another has that
// id, or the old one is also where no value is: in the type of a typed container, or a text.
func (r *reading) followID(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	kind, was := at.Parent.Rows, tagAt(n.Window(), &at.Parent.Value)["id"]
	l, err := literal.Parse(r.engine, c.Literal)
	switch {
	case err != nil || c.Copy != nil || was == "":
		return nil, errors.New("an id is set to a literal")
	case o.Together != nil:
		return nil, edit.ErrAlone
	}
	id := strings.TrimSpace(c.Literal)
	if l.Kind == types.String {
		id = string(l.Text)
	}
	if _, taken := r.ids()[kind][id]; taken {
		return nil, l.Errorf("another resource has the id %s", literal.Quote([]byte(id)))
	}
	o.Orphans = edit.Undefined
	space, quoted := "", string(quote([]byte(id), false))
	if (speller{r.engine}).isOld() {
		space, quoted = " ", strings.TrimSpace(c.Literal)
	}
	name := []string{kindExternal: "ExtResource", kindResources: "SubResource"}[kind]
	return r.referring(ctx, n, at, kind, was, name+"("+space+quoted+space+")", o)
}

// attributes are those of new tags of resources, by kind.
var attributes = [][]string{{"type", "path", "uid", "id"}, {"type", "id"}}

// Insert implements edit.Editor.
func (r *reading) Insert(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if err := r.allows(ctx, &c, o); err != nil {
		return nil, err
	}
	switch {
	case in.Inner == inList:
		return r.insertRecord(ctx, n, in, index, c, o)
	case isConfig(&in.Value):
		return r.insertSection(ctx, n, in, index, c, o)
	case in.Inner == inFile || in.Inner == inTag:
		for index > 0 {
			before, err := n.Child(in, index-1)
			if err != nil || before.Inner == 0 {
				break
			}
			index--
		}
	}
	return r.Editor.Insert(ctx, n, in, index, c, o)
}

// isMain reports whether a value is the tag of the main resource.
func isMain(n *tree.Reader, at *tree.Node) bool {
	return at.Inner == inTag && at.Rows == kindResources && tagAt(n.Window(), &at.Value)["id"] == ""
}

// Delete implements edit.Editor.
func (r *reading) Delete(ctx context.Context, n *tree.Reader, at *tree.Node, o edit.Options) ([]source.Splice, error) {
	var err error
	entry := at
	if at.Slot.Key {
		if entry, err = n.Child(at.Parent, at.Slot.Index); err != nil {
			return nil, err
		}
	}
	var more []source.Splice
	switch in := entry.Parent; {
	case in != nil && isConfig(&in.Value):
	case in != nil && (entry.Inner == inList || entry.Inner == inProperties):
		return nil, errNoPart
	case isMain(n, entry):
		return nil, errors.New("the main resource cannot be deleted")
	case entry.Inner == 0 && r.isFile():
		if err = r.needs(n, entry); err != nil {
			return nil, err
		}
	case entry.Inner == inTag:
		if more, err = r.orphans(ctx, n, entry, o); err != nil {
			return nil, err
		}
		more = append(more, r.countSteps(n, entry.Rows, -1)...)
	}
	s, err := r.Editor.Delete(ctx, n, at, o)
	s = append(s, more...)
	source.Sort(s)
	return s, cmp.Or(err, n.Window().Err())
}

// Move implements edit.Editor.
func (r *reading) Move(ctx context.Context, n *tree.Reader, at *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	switch in := at.Parent; {
	case in == nil:
	case isConfig(&in.Value):
		if from, err := hasNone(n, in); err != nil || from && min(at.Slot.Index, to) == 0 {
			return nil, cmp.Or(err, errNone)
		}
	case in.Inner == inFile || in.Inner == inTag:
		return nil, errors.New("the parts of a file cannot be moved")
	case in.Inner == inList && in.Rows == kindResources && (isMain(n, at) || to == n.Count(in)-1):
		return nil, errors.New("the main resource is the last one")
	}
	return r.Editor.Move(ctx, n, at, to, o)
}

// orphans makes references to a tag that is deleted null, or refuses to.
func (r *reading) orphans(ctx context.Context, n *tree.Reader, gone *tree.Node, o edit.Options) ([]source.Splice, error) {
	gone, err := n.Finish(gone)
	if err != nil || gone.Rows > kindResources {
		return nil, err
	}
	id := tagAt(n.Window(), &gone.Value)["id"]
	if i, ok := r.ids()[gone.Rows][id]; ok && i != gone.Slot.Index {
		return nil, nil // they lead to another resource with this id
	}
	return r.referring(ctx, n, gone, gone.Rows, id, "null", o)
}

// referring returns splices that put a text in the place of the references to an id of resources of a kind, except those in a
// value. The error is that there are some, if o does not say what becomes of them, or that the id is also where no value
// is: in the type of a typed container, or a text.
func (r *reading) referring(ctx context.Context, n *tree.Reader, except *tree.Node, kind uint32, id, put string, o edit.Options) ([]source.Splice, error) {
	to := []types.ID{kindExternal: types.ExtResource, kindResources: types.SubResource}[kind]
	splices, err := edit.NullReferences(ctx, n, except, o, func(w *source.Window, v *tree.Value) bool {
		if idOf(v) != to {
			return false
		}
		l, _, err := parse(tokenOf(w, v), v)
		return err == nil && string(l.Text) == id
	}, []byte(put))
	if err != nil {
		return nil, err
	}
	all, inside := 0, except.Span()
	for _, at := range regexp.MustCompile(types.Of(to).Name+`\(\s*"?`+regexp.QuoteMeta(id)+`"?\s*\)`).FindAllIndex(n.Window().All(r.region), -1) {
		if !inside.Contains(r.region.Offset + int64(at[0])) {
			all++
		}
	}
	if all != len(splices) {
		return nil, fmt.Errorf("the id %s is named in a type or a text too, which would not follow", literal.Quote([]byte(id)))
	}
	return splices, nil
}

// Follows implements format.Follower: the load steps are counted.
func (r *reading) Follows(n *tree.Reader, v *tree.Node) bool {
	return v.Depth == 2 && !v.Slot.Key && n.Step(v) == ".load_steps"
}

// countSteps adds to the number of load steps in the head, if it has one.
func (r *reading) countSteps(n *tree.Reader, kind uint32, by int64) []source.Splice {
	steps, err := n.Resolve("$.load_steps")
	if err != nil || kind != kindExternal && kind != kindResources || steps.Damage != nil {
		return nil
	}
	s := r.Describe(n.Window(), &steps.Value)
	if s.Kind != tree.Int {
		return nil
	}
	return []source.Splice{source.Put(steps.Head, steps.Tail-steps.Head, strconv.AppendInt(nil, int64(s.Bits)+by, 10))}
}

var (
	errNone    = errors.New("entries before all sections stay there")
	errSection = errors.New("the engine does not read this name of a section again")
)

// hasNone reports whether a ConfigFile begins with entries before all sections.
func hasNone(n *tree.Reader, in *tree.Node) (bool, error) {
	first, err := n.Child(in, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return false, nil
	}
	return err == nil && n.Key(first).Inner == implied+partNone, err
}

// dictionary returns the Dictionary that a part of a file is inserted as.
func (r *reading) dictionary(ctx context.Context, c *edit.Content, like string) (literal.Literal, error) {
	if c.Copy != nil {
		text, err := edit.LiteralOf(ctx, c.From, &c.Copy.Value, notation.MaxText)
		if err != nil {
			return literal.Literal{}, err
		}
		c.Literal = text
	}
	l, err := literal.Parse(r.engine, c.Literal)
	if err == nil && l.Kind != types.Dictionary {
		err = l.Errorf("a part of a file is inserted as %s", like)
	}
	return l, err
}

// insertSection inserts a section, given as a Dictionary of its entries.
func (r *reading) insertSection(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	l, err := r.dictionary(ctx, &c, "{ key: value, … }")
	if err != nil {
		return nil, err
	}
	if key := c.KeyContent(); key.Copy != nil {
		if c.Key, err = edit.LiteralOf(ctx, key.From, &key.Copy.Value, notation.MaxText); err != nil {
			return nil, err
		}
	}
	key, err := literal.Parse(r.engine, c.Key)
	if err != nil {
		return nil, err
	}
	name := speller{r.engine}.encode(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: key.Text, In: &in.Value, Key: true}, nil)
	if name == nil || key.Kind != types.String {
		return nil, errSection
	}
	if err := edit.CheckFreeKey(ctx, n, o.Together, in, tree.Unknown, c.Key, notation.MaxText); err != nil {
		return nil, err
	}
	lines, err := speller{r.engine}.lines(aConfig, &l, c.Literal)
	if err != nil {
		return nil, err
	}
	if first, err := hasNone(n, in); err != nil || first && index == 0 {
		return nil, cmp.Or(err, errNone)
	}
	return r.InsertText(ctx, n, in, index, string(name)+lines, o)
}

// insertRecord inserts a tag, given as a Dictionary of its attributes and properties.
func (r *reading) insertRecord(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	l, err := r.dictionary(ctx, &c, `{ "name": value, …, "properties": { … } }`)
	if err != nil {
		return nil, err
	}
	if main, err := n.LastChild(in); err == nil && index == n.Count(in) && isMain(n, main) {
		return nil, errors.New("the last resource is the main one: insert before it")
	}
	if in.Rows <= kindResources {
		if err := r.giveID(&l, &c, in.Rows, o); err != nil {
			return nil, err
		}
	}
	text, err := speller{r.engine}.record(&l, c.Literal, in)
	if err != nil {
		return nil, err
	}
	splices, err := r.InsertText(ctx, n, in, index, text, o)
	splices = append(splices, r.countSteps(n, in.Rows, 1)...)
	source.Sort(splices)
	return splices, cmp.Or(err, n.Window().Err())
}

// giveID gives a new resource an id if it has none, and a copy another one if its own is taken.
func (r *reading) giveID(l *literal.Literal, c *edit.Content, kind uint32, o edit.Options) error {
	at, end, id, prefix := l.End-1, l.End-1, "", "Resource"
	for i := 0; i+1 < len(l.Children); i += 2 {
		switch v := &l.Children[i+1]; string(l.Children[i].Text) {
		case "id":
			at, end, id = v.At, v.End, c.Literal[v.At:v.End]
			if v.Kind == types.String {
				id = string(v.Text)
			}
		case "type":
			if v.Kind == types.String {
				prefix = string(v.Text)
			}
		}
	}
	_, taken := r.ids()[kind][id]
	switch {
	case id != "" && !taken:
		return nil
	case id != "" && c.Copy == nil:
		return l.Errorf("another resource has the id %s", literal.Quote([]byte(id)))
	case o.Together != nil:
		return edit.ErrAlone // another edit may take the same
	}
	fresh := r.freshID(kind, id, prefix)
	if id == "" {
		fresh = `"id": ` + fresh
		if len(l.Children) > 0 {
			fresh = ", " + fresh
		}
	}
	c.Literal = c.Literal[:at] + fresh + c.Literal[end:]
	changed, err := literal.Parse(r.engine, c.Literal)
	*l = changed
	return err
}

// freshID returns the literal of an id that no resource of a kind has, in the form of another one or, if that is "", of the
// engine: a number, or a prefix and five letters or digits.
func (r *reading) freshID(kind uint32, like, prefix string) string {
	ids := r.ids()[kind]
	_, err := strconv.Atoi(like)
	if err == nil || like == "" && (speller{r.engine}).isOld() {
		next := 1
		for id := range ids {
			if n, err := strconv.Atoi(id); err == nil {
				next = max(next, n+1)
			}
		}
		if (speller{r.engine}).isOld() {
			return strconv.Itoa(next)
		}
		return strconv.Quote(strconv.Itoa(next))
	}
	if i := strings.LastIndexByte(like, '_'); i > 0 {
		prefix = like[:i]
	}
	for hash := crc32.ChecksumIEEE([]byte(like)); ; hash++ {
		suffix := []byte("00000" + strconv.FormatUint(uint64(hash), 34))
		id := prefix + "_" + string(suffix[len(suffix)-5:])
		if _, taken := ids[id]; !taken {
			return string(quote([]byte(id), false))
		}
	}
}

// allows returns an error if the engine would not read content as it is meant, for what is in it as a whole: a number that no
// value holds, a key twice, a value of a wrong type in a typed container, a reference that leads nowhere. What is copied may have
// all but the last, as it has where it is.
func (r *reading) allows(ctx context.Context, c *edit.Content, o edit.Options) error {
	text := c.Literal
	if c.Copy != nil {
		if c.From.Tree.Reading == r {
			return nil
		}
		n, err := c.Copied()
		if err == nil {
			text, err = edit.LiteralOf(ctx, c.From, &n.Value, notation.MaxText)
		}
		if err != nil {
			return err
		}
	}
	l, err := literal.Parse(r.engine, text)
	if err != nil {
		return nil // it is reported where it is read
	}
	if err := l.Each(func(l *literal.Literal) error { return r.refers(l, o) }); err != nil || c.Copy != nil {
		return err
	}
	f := &variant.Format{Dialect: r.engine}
	if _, err = encode.Bytes(f, text, &l); err == nil {
		err = encode.CheckKeys(f, text, &l)
	}
	if err == nil {
		err = l.Each(func(l *literal.Literal) error { return vanishes(text, l) })
	}
	return err
}

// refers returns an error if a literal is a reference that leads to no resource of the file.
func (r *reading) refers(l *literal.Literal, o edit.Options) error {
	if _, is := referred[l.Kind]; !is || l.Parts == nil {
		return nil
	}
	_, ok := r.place(l.Kind, string(l.Text))
	switch {
	case r.isConfig():
		return l.Errorf("%s", noResources(l.Kind, ""))
	case ok || !r.isFile():
		return nil
	case o.Together != nil:
		return edit.ErrAlone // another edit may insert it
	}
	return l.Errorf("%s", noResource(l, ""))
}

// noResources says why a ConfigFile has no reference, at a place.
func noResources(id types.ID, place string) string {
	return "a ConfigFile has no resources to which " + types.Of(id).Name + place + " could refer"
}

// noResource says that a reference leads nowhere, at a place.
func noResource(l *literal.Literal, place string) string {
	return fmt.Sprintf("there is no %s with the id %s%s", types.Of(l.Kind).Name, literal.Quote(l.Text), place)
}

// vanishes returns an error if a literal is a number so small that it is read as 0.
func vanishes(text string, l *literal.Literal) error {
	if l.Kind != types.Float {
		return nil
	}
	number := text[l.At:l.End]
	digits, _, _ := strings.Cut(strings.ToLower(number), "e")
	if x, err := strconv.ParseFloat(number, 64); err == nil && x == 0 && strings.ContainsAny(digits, "123456789") {
		return l.Errorf("%s is read as 0", number)
	}
	return nil
}
