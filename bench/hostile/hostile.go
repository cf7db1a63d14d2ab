// Package hostile makes files that are costly for a careless reader: noise inside wrappers, counts that
// nothing follows, small damage in a hundred thousand places. The same kind and size give the same bytes
// on every machine.
package hostile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Password opens the encrypted files.
const Password = "hostile"

// A Kind is a way to make a file.
type Kind struct {
	Name  string
	About string
	Size  int // bytes of the content, where no other size is asked for
	build func(size int) []byte
}

// IsEncrypted reports whether Password opens files of the kind.
func (k Kind) IsEncrypted() bool {
	return strings.HasPrefix(k.Name, "gdec") || strings.HasPrefix(k.Name, "nested-noise") || k.Name == "nested-zeros"
}

// Kinds lists all kinds. Noise comes first: it is the peer of the others.
var Kinds = slices.Concat([]Kind{
	{"noise", "random bytes", 300_000, noise},
}, wrapped, values, nestedValues, texts)

// Named returns the kind with a name.
func Named(name string) (Kind, error) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, fmt.Errorf("no hostile file is called %q; there are %s", name, Names())
	}
	return Kinds[i], nil
}

// Names lists the names of all kinds for people.
func Names() string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// Bytes makes the file of a kind; 0 is its usual size.
func (k Kind) Bytes(size int) []byte {
	if size == 0 {
		size = k.Size
	}
	return k.build(size)
}

// noise is random bytes that no wrapper and no family claims as its own.
func noise(size int) []byte {
	b := make([]byte, size)
	rand.NewChaCha8([32]byte([]byte("noise of a file that is no save!"))).Read(b)
	return b
}

// repeat returns copies of a piece, as many as fit.
func repeat(size int, piece ...byte) []byte {
	return slices.Repeat(piece, size/len(piece))
}
