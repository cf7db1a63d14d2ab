package inspect

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/paint"
)

// A row is a line of the pane.
type row struct {
	label string
	role  themes.Role // of the label
	cells []cell      // what can be copied or edited; none in a heading
	note  []paint.Piece
}

// A cell is something that can be copied, and often edited.
type cell struct {
	text   string
	role   themes.Role
	letter byte           // key that chooses it; 0 if none does
	own    bool           // the value itself is read in this way
	color  paint.Paint    // colour of a swatch before the text
	copy   func() tea.Cmd // nil to copy the text
	edit   func() tea.Cmd // nil if it cannot be edited
}

// maxText is the number of bytes of a text that are worked out for the pane.
const maxText = 400

// rows returns all rows of the pane.
func (p *Pane) rows() []row {
	at := int64(-1)
	if p.Selection.Active {
		at = p.Chosen().Offset
	}
	i := p.Explorer.Inspect(at, maxText)
	rows := p.selectionRows()
	if !p.Explorer.Buffer.IsPlain() {
		rows = append(rows, p.valueRows(&i)...)
	}
	if len(rows) > 0 && len(i.Bytes) > 0 {
		rows = append(rows, row{})
	}
	return append(rows, p.byteRows(&i)...)
}

// valueRows describes the selected value.
func (p *Pane) valueRows(i *explore.Inspection) []row {
	if i.Value == nil {
		return nil
	}
	n, x := i.Value, p.Explorer
	rows := []row{{label: "value", role: themes.Title}}
	add := func(label string, c cell) { rows = append(rows, row{label: label, role: themes.Dim, cells: []cell{c}}) }
	add("path", cell{text: i.Path, role: themes.Key, letter: 'p'})
	if i.Type != "" {
		add("type", cell{text: i.Type, letter: 't'})
	}
	if i.Key != "" {
		add("key", cell{text: i.Key, role: themes.Key, letter: 'k', edit: p.values.EditKey})
	}
	if i.Literal != "" {
		add("literal", cell{text: i.Literal, role: themes.Number, letter: 'l', edit: p.values.EditValue,
			copy: func() tea.Cmd { return p.values.CopyWhole("literal", x.Literal, n) }})
	}
	if !x.Buffer.IsWrapper() && n.Damage == nil {
		json := i.JSON
		if json == "" {
			json = "… too long to be shown"
		}
		add("JSON", cell{text: json, letter: 'j', copy: func() tea.Cmd { return p.values.CopyWhole("JSON", x.JSON, n) }})
	}
	rows = append(rows, p.drawingRows()...)
	return append(rows, spanRows(i)...)
}

// selectionRows returns the checksums of the selected bytes.
func (p *Pane) selectionRows() []row {
	if !p.Selection.Active {
		return nil
	}
	rows := []row{{label: "selected", role: themes.Title}}
	add := func(label, text string, letter byte) {
		rows = append(rows, row{label: label, role: themes.Dim, cells: []cell{{text: text, letter: letter}}})
	}
	s := p.Chosen()
	add("bytes ", s.String()+" · "+span.Bytes(s.Length), 'X')
	if x := &p.Summed; x.Done && x.Err == nil {
		add("entropy", fmt.Sprintf("%.2f bits a byte", x.Sums.Entropy), 'N')
		add("CRC32", fmt.Sprintf("%08x", x.Sums.CRC32), 'R')
		add("MD5", fmt.Sprintf("%x", x.Sums.MD5), 'Q')
		add("SHA-256", fmt.Sprintf("%x", x.Sums.SHA256), 'A')
	}
	return append(rows, row{})
}

// spanRows returns the spans of the parts of a value.
func spanRows(i *explore.Inspection) []row {
	var rows []row
	add := func(label string, kind span.Kind, at string, letter byte) {
		rows = append(rows, row{label: string(kind.Mark()) + " " + label, role: themes.OfKind(kind.String()), cells: []cell{{text: at, letter: letter}}})
	}
	place := func(s span.Span) string { return s.String() + " · " + span.Bytes(s.Length) }
	if i.Description.Value.Length > 0 {
		rows = append(rows, row{label: "bytes", role: themes.Dim, cells: []cell{{text: place(i.Description.Value), letter: 'x'}}})
	}
	for _, f := range i.Fields {
		if f.Kind != span.Value || i.Each == "" {
			add(f.Label, f.Kind, place(f.Span), 0)
		}
	}
	if n := i.Value; i.Each != "" && n.Tail > n.Body {
		add("payload", span.Value, place(span.Between(n.Body, n.Body+n.Count*int64(n.Stride)))+" · "+i.Each, 0)
	}
	return rows
}

// byteRows returns what the bytes at the cursor could be.
func (p *Pane) byteRows(i *explore.Inspection) []row {
	if len(i.Bytes) == 0 {
		return nil
	}
	heading := []paint.Piece{paint.In(themes.Title, text.Fit("bytes", labelWidth-1)),
		paint.In(themes.Dim, text.Fit(fmt.Sprintf("at %#x", i.At), p.cellWidth(2))), paint.In(themes.Dim, "big-endian")}
	rows := []row{{note: heading}}
	for _, k := range inspect.Kinds {
		r := row{label: k.Name, role: themes.Dim, cells: []cell{p.reading(i, k, false)}}
		switch {
		case k.Both && k.IsTime() && p.cellWidth(2) < timeWidth:
			other := row{label: strings.TrimPrefix(k.Name, "time") + " big", role: themes.Dim, cells: []cell{p.reading(i, k, true)}}
			rows = append(rows, r, other)
			continue
		case k.Both:
			r.cells = append(r.cells, p.reading(i, k, true))
		}
		rows = append(rows, r)
	}
	return rows
}

// timeWidth is the width of a cell in which a time fits.
const timeWidth = 20

// reading returns the cell of one way to read the bytes.
func (p *Pane) reading(i *explore.Inspection, k *inspect.Interpretation, big bool) cell {
	c := cell{text: k.Text(i.Bytes, big), letter: k.Letter, own: i.Owns(k, big)}
	if big {
		c.letter -= 'a' - 'A'
	}
	if c.text == "" {
		c.text, c.role = "–", themes.Dim
	}
	if len(i.Bytes) >= k.Size || c.role != themes.Dim {
		c.edit = func() tea.Cmd { return p.editReading(i, k, big) }
	}
	if k.Name == "colour" && len(i.Bytes) >= 4 {
		c.color = p.Styles.Swatch([3]byte(i.Bytes))
	}
	return c
}
