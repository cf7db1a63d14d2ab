package block

import "varview/decoder/elephant/gml"

// near finds a constructor that a library declares and of whose name one byte was
// changed, lost or added, "" for none.
func (n *names) near(name string) string {
	l := n.shared
	l.mu.Lock()
	is, ok := l.nearby[name]
	l.mu.Unlock()
	if ok {
		return is
	}
	for _, library := range n.schemas {
		for _, declared := range library.Constructors() {
			if is == "" && isOneByteOff(name, declared) {
				is = declared
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.nearby == nil {
		l.nearby = map[string]string{}
	}
	if len(l.nearby) < maxUses {
		l.nearby[name] = is
	}
	return is
}

// isOneByteOff reports whether two texts differ by one byte that was changed, lost
// or added.
func isOneByteOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	switch len(b) - len(a) {
	case 0:
		return same < len(a) && a[same+1:] == b[same+1:]
	case 1:
		return b[same+1:] == a[same:]
	}
	return false
}

// NearCtor is the constructor that a library declares in place of one that none does,
// and of whose name one byte was changed, lost or added; "" for none.
func (f *Reading) NearCtor(name string) string {
	if !f.names.schemas.any() {
		return ""
	}
	if _, err := f.names.schemas.LookUp(name, 0); reason(err) != gml.NoConstructor {
		return ""
	}
	return f.names.near(name)
}
