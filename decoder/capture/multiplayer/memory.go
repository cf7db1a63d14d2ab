package multiplayer

import "net/netip"

// A memory is what messages have said that later ones depend on.
type memory struct {
	paths   map[pathKey]known
	nodes   map[nodeKey]string
	digests map[methodsKey]string
	bytes   int
}

// known is what an id stands for.
type known struct {
	path   string
	digest string // of the methods, in Godot 4
}

// maxMemory is the number of bytes of paths and names that are remembered.
const maxMemory = 32 << 20

// entrySize is about the number of bytes that an entry takes besides its text.
const entrySize = 160

// A party is one of those who share ids: a peer, by its id where that is known, else by its
// address.
type party struct {
	id   int32
	addr netip.AddrPort
}

// A pathKey is the id of a path. In Godot 3 it counts for all receivers.
type pathKey struct {
	server   netip.AddrPort
	from, to party
	id       uint32
}

// A nodeKey is the number of a spawned node or of one of its synchronizers.
type nodeKey struct {
	server netip.AddrPort
	from   party
	id     uint32
}

// A methodsKey is a node whose methods have a digest.
type methodsKey struct {
	server netip.AddrPort
	from   party
	path   string
}

// reserve makes room for an entry with a text of n bytes. It reports whether all others had to
// be forgotten for it.
func (m *memory) reserve(n int) (forgot bool) {
	if m.paths == nil {
		m.paths, m.nodes, m.digests = map[pathKey]known{}, map[nodeKey]string{}, map[methodsKey]string{}
	}
	if m.bytes += entrySize + n; m.bytes > maxMemory {
		clear(m.paths)
		clear(m.nodes)
		clear(m.digests)
		m.bytes, forgot = entrySize+n, true
	}
	return forgot
}
