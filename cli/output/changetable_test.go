package output

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
)

// TestChangeTable holds what a table of changes looks like, and that its lines fit
// into the window.
func TestChangeTable(t *testing.T) {
	long := bytes.Repeat([]byte{0xab}, model.MaxChangeBytes)
	changes := []model.ByteChange{
		{At: span.Span{Offset: 0x18, Length: 1}, Was: span.Span{Offset: 0x18, Length: 1}, Old: []byte{0x57}, New: []byte{0x64}, Path: "$[0].hp", Field: "value"},
		{At: span.Span{Offset: 0x20, Length: 0}, Was: span.Span{Offset: 0x20, Length: 3}, Old: []byte{1, 2, 3}, Path: "$[0].name", Field: "text … padding"},
		{At: span.Span{Offset: 0x30, Length: 400}, Was: span.Span{Offset: 0x33, Length: 0}, New: long, Path: "$[0]" + strings.Repeat(".verylong", 20), Field: "type … value"},
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, `offset    before                   after                    field                     path
00000018  57                       64                       value                     $[0].hp
00000020  01 02 03                 –                        text … padding            $[0].name
00000030  –                        ab ab ab ab ab ab ab …   type … value              $[0]` + strings.Repeat(".verylong", 20) + `
          … 0 bytes → 400 bytes
12 bytes → 409 bytes
`},
		{80, `offset    before       after        field         path
00000018  57           64           value         $[0].hp
00000020  01 02 03     –            text … padd…  $[0].name
00000030  –            ab ab ab …   type … value  …ng.verylong.verylong.verylong
          … 0 bytes → 400 bytes
12 bytes → 409 bytes
`},
		{60, ""},
		{120, ""},
	} {
		var b bytes.Buffer
		out := bufio.NewWriter(&b)
		table := newChangeTable(out, source.Bytes(make([]byte, 409)), &Palette{}, c.width)
		for i := range changes {
			if err := table.change(&changes[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.end(12, 409); err != nil {
			t.Fatal(err)
		}
		out.Flush()
		if c.want != "" && b.String() != c.want {
			t.Errorf("%d columns:\n%s\nwant\n%s", c.width, b.String(), c.want)
		}
		for line := range strings.Lines(b.String()) {
			if n := text.Width(strings.TrimSuffix(line, "\n")); c.width > 0 && n > c.width {
				t.Errorf("%d columns of %d: %s", n, c.width, line)
			}
		}
	}
}
