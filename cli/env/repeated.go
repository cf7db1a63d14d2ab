package env

import (
	"fmt"
	"strings"

	"varview/decoder/engine/tree"
)

// RepeatedKeys says of containers, by their paths, which of their keys are there more than once.
type RepeatedKeys map[string]map[string]bool

// has reports whether the key of an entry is there more than once. It looks at each container once.
func (k RepeatedKeys) has(r *tree.Reader, entry *tree.Node) bool {
	in := r.Path(entry.Parent)
	repeated, known := k[in]
	if !known {
		repeated = map[string]bool{}
		seen := map[string]bool{}
		for c, err := r.Child(entry.Parent, 0); err == nil; c, err = r.Next(c) {
			step := r.Step(c)
			if seen[step] {
				repeated[step] = true
			}
			seen[step] = true
		}
		k[in] = repeated
	}
	return repeated[r.Step(entry)]
}

// CheckOnly returns an error if a value's key is there more than once, and the path does not say which entry is meant.
func (k RepeatedKeys) CheckOnly(r *tree.Reader, n *tree.Node, path string) error {
	if strings.Contains(path, "#") || n.Parent == nil || n.KeyAt == tree.Unknown || n.Slot.Key || !k.has(r, n) {
		return nil
	}
	return fmt.Errorf("%[1]s: there is more than one entry with this key: say which, %[1]s#1 or %[1]s#2; games read the last", r.Path(n))
}

// LastOfRepeated returns the value that games read where a key on the way to a value is repeated, and the path does not
// say which entry is meant: it leads to the first, but games read the last. It says so, and what is done: "set".
func (e *Env) LastOfRepeated(r *tree.Reader, n *tree.Node, name, path, done string, keys RepeatedKeys) (*tree.Node, error) {
	if strings.Contains(path, "#") {
		return n, nil
	}
	for up := n; up.Parent != nil; up = up.Parent {
		if up.KeyAt == tree.Unknown || up.Slot.Key || !keys.has(r, up) {
			continue
		}
		first, whole, last := r.Path(up), r.Path(n), n
		for i := 2; ; i++ {
			entry := fmt.Sprintf("%s#%d", first, i)
			if _, err := r.Resolve(entry); err != nil {
				break
			}
			is, err := r.Resolve(entry + strings.TrimPrefix(whole, first))
			if err != nil {
				return nil, fmt.Errorf("%s: there is more than one entry with this key, of which games read the last: %w; %[1]s#1 is the first", first, err)
			}
			last = is
		}
		if last != n {
			e.Tell("%s: %s: there is more than one entry with this key: the last is %[3]s, which games read; %[2]s#1 is the first", DisplayName(name), first, done)
			return e.LastOfRepeated(r, last, name, "", done, keys)
		}
	}
	return n, nil
}
