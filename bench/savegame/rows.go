package savegame

// RowBytes is the size of a Dictionary of Rows.
const RowBytes = 48

// writeRows writes an Array of as many like Dictionaries as fit. The second column is in no order.
func (p Plan) writeRows(w target) error {
	g := newGenerator(p)
	out := sink{w: w}
	count := int(p.Size / RowBytes)
	g.close(g.open(typeArray), count)
	for i := range count {
		row := g.open(typeDictionary)
		g.string("id")
		g.int(int64(i))
		g.string("hp")
		g.int(int64(g.below(1_000_000)))
		g.close(row, 2)
		if err := out.flush(&g.buf, flushAt); err != nil {
			return err
		}
	}
	return out.flush(&g.buf, 0)
}
