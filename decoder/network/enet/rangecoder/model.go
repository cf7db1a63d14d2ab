package rangecoder

// A node is a byte in the context of the bytes before it, and is itself a context. The bytes of a context
// are a binary tree.
type node struct {
	value       byte
	count       uint8  // how often the byte was seen, weighted
	under       uint16 // sum of the counts of the node and its left subtree
	left, right uint16 // nodes of the same context; 0 if there is none

	bytes   uint16 // tree of the bytes that followed; 0 if there is none
	escapes uint16
	total   uint16 // sum of the counts of all bytes, and the escapes
	shorter uint16 // the context of one byte fewer
}

// A model is what the coder has learnt. Node 0 is the root context.
type model struct {
	nodes   [maxNode]node
	next    uint16 // first node that is free
	context uint16 // context of the bytes before
	depth   int    // how many bytes these are
}

// reset forgets everything.
func (m *model) reset() {
	m.next, m.context, m.depth = 0, 0, 0
	root := m.add(0, 0)
	m.nodes[root].escapes, m.nodes[root].total = 1, 1+256
}

func (m *model) add(value byte, count uint8) uint16 {
	m.nodes[m.next] = node{value: value, count: count, under: uint16(count)}
	m.next++
	return m.next - 1
}

// decode returns the next byte; more is false at the end.
func (m *model) decode(d *decoder) (value byte, more, ok bool) {
	var found uint16 // node of the byte in the context at
	at := m.context
	for ; at != 0; at = m.nodes[at].shorter {
		c := &m.nodes[at]
		if c.escapes == 0 || c.escapes >= c.total {
			continue
		}
		code := d.read(uint32(c.total))
		if code < uint32(c.escapes) {
			d.narrow(0, uint32(c.escapes))
			continue
		}
		if found, ok = m.find(d, at, code-uint32(c.escapes)); !ok {
			return 0, false, false
		}
		break
	}
	if at == 0 {
		root := &m.nodes[0]
		code := d.read(uint32(root.total))
		if code < uint32(root.escapes) {
			return 0, false, true
		}
		if code >= uint32(root.total) {
			return 0, false, false
		}
		found = m.findInRoot(d, code-uint32(root.escapes))
	}
	value = m.nodes[found].value
	m.learn(at, found)
	return value, true, true
}

// find returns the node of the byte with a code in a context, and counts it.
func (m *model) find(d *decoder, context uint16, code uint32) (found uint16, ok bool) {
	c := &m.nodes[context]
	under := uint32(0)
	for found = c.bytes; found != 0; {
		n := &m.nodes[found]
		after := under + uint32(n.under)
		before := after - uint32(n.count)
		switch {
		case code >= after:
			under, found = after, n.right
		case code < before:
			n.under += contextStep
			found = n.left
		default:
			d.narrow(uint32(c.escapes)+before, uint32(n.count))
			m.grow(context, found, contextStep, 0)
			return found, true
		}
	}
	return 0, false
}

// findInRoot returns the node of the byte with a code in the root, where each byte counts one more than it
// was seen, and counts it.
func (m *model) findInRoot(d *decoder, code uint32) uint16 {
	root := &m.nodes[0]
	escapes := uint32(root.escapes)
	link := &root.bytes
	under := uint32(0)
	value := code // a byte that was never seen
	for *link != 0 {
		n := &m.nodes[*link]
		after := under + uint32(n.under) + uint32(n.value) + 1
		before := after - uint32(n.count) - 1
		switch {
		case code >= after:
			value = uint32(n.value) + 1 + code - after
			under += uint32(n.under)
			link = &n.right
		case code < before:
			value = uint32(n.value) - 1 - (before - code - 1)
			n.under += rootStep
			link = &n.left
		default:
			found := *link
			d.narrow(escapes+before, uint32(n.count)+1)
			m.grow(0, found, rootStep, 1)
			return found
		}
	}
	d.narrow(escapes+code, 1)
	found := m.add(byte(value), rootStep)
	*link = found
	root.total += rootStep
	if root.total > maxTotal {
		m.halve(0, 1)
	}
	return found
}

// grow counts a byte that was found in a context once more.
func (m *model) grow(context, found uint16, step, least uint16) {
	n := &m.nodes[found]
	was := uint16(n.count) + least
	n.under += step
	n.count += uint8(step)
	m.count(context, was, step, least)
}

// count counts a byte in the total of its context. was is its count before.
func (m *model) count(context, was, step, least uint16) {
	c := &m.nodes[context]
	c.total += step
	if was > maxCount-2*step+least || c.total > maxTotal {
		m.halve(context, least)
	}
}

// learn adds the byte of the node found, which the context at had, to the longer contexts that did not have
// it, and makes the context of the next byte.
func (m *model) learn(at, found uint16) {
	value := m.nodes[found].value
	link := &m.context
	for longer := m.context; longer != at; longer = m.nodes[longer].shorter {
		own, was := m.see(longer, value)
		*link = own
		link = &m.nodes[own].shorter
		if was == 0 {
			m.nodes[longer].escapes += escapeStep
			m.nodes[longer].total += escapeStep
		}
		m.count(longer, was, contextStep, 0)
	}
	*link = found
	if m.depth < order {
		m.depth++
	} else {
		m.context = m.nodes[m.context].shorter
	}
	if m.next >= maxNode-order {
		m.reset()
	}
}

// see counts a byte in a context, and returns its node and its count before.
func (m *model) see(context uint16, value byte) (own, was uint16) {
	link := &m.nodes[context].bytes
	for *link != 0 {
		n := &m.nodes[*link]
		switch {
		case value < n.value:
			n.under += contextStep
			link = &n.left
		case value > n.value:
			link = &n.right
		default:
			was = uint16(n.count)
			n.under += contextStep
			n.count += contextStep
			return *link, was
		}
	}
	own = m.add(value, contextStep)
	*link = own
	return own, 0
}

// halve halves the counts of a context, in which each byte counts least more.
func (m *model) halve(context, least uint16) {
	c := &m.nodes[context]
	c.escapes -= c.escapes >> 1
	c.total = m.halveTree(c.bytes) + c.escapes + 256*least
}

func (m *model) halveTree(at uint16) (total uint16) {
	for ; at != 0; at = m.nodes[at].right {
		n := &m.nodes[at]
		n.count -= n.count >> 1
		n.under = uint16(n.count) + m.halveTree(n.left)
		total += n.under
	}
	return total
}
