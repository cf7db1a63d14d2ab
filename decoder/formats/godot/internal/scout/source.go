package scout

import (
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Source returns a script at a path that is an object of a class in the file. Without source it is no code.
func Source(r *tree.Reader, path, class string) format.Script {
	s := format.Script{Name: class, Path: path, Code: format.FileCode}
	for _, in := range []string{path, path + ".properties"} {
		n, err := r.Resolve(in + `["` + sourceProperty + `"]`)
		if err != nil {
			continue
		}
		if source := r.Plain(&n.Value); source.Kind == tree.Text && source.Len() == 0 {
			s.Code = format.NoCode
			return s
		}
		s.Name += " with its source code"
		return s
	}
	return s
}
