package explore

import "varview/decoder/engine/tree"

// ShowContent selects a value, which stays unfolded as long as the cursor is in it, and moves the byte
// cursor to its content.
func (x *Explorer) ShowContent(n *tree.Node) error {
	if err := x.GoTo(n.Body); err != nil {
		return err
	}
	return x.do(func() error {
		if err := x.selectRow(x.outline.rowOf(n)); err != nil {
			return err
		}
		x.offset = min(n.Body, x.Buffer.Size()-1)
		x.Align(0)
		return x.locate()
	})
}
