package elephantref

// A Field is a span of the input with one meaning. Fields are never empty.
type Field struct {
	Offset, Length int
	Kind           string // magic version type length value text terminator ref ctor schema skip gap
	Path           string // of the value that owns it; with @key for a member's name
}

// Fields lists the fields of the whole input in order. The bytes after the block
// are one gap. Paths contain whole names, whatever their length.
func (f *File) Fields() []Field {
	all := make([]Field, len(f.fields))
	var owner *Value
	path := ""
	for i, in := range f.fields {
		if in.owner != owner {
			owner, path = in.owner, in.owner.Path()
		}
		all[i] = Field{in.offset, in.length, in.kind, path}
		if in.key {
			all[i].Path += "@key"
		}
	}
	return all
}
