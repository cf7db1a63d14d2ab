package themes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Color is "#rrggbb" in lower case, or empty: the terminal's own.
type Color string

// UnmarshalText parses "#rrggbb", in either case.
func (c *Color) UnmarshalText(text []byte) error {
	digits, found := bytes.CutPrefix(text, []byte("#"))
	if !found || len(digits) != 6 || len(bytes.Trim(digits, "0123456789abcdefABCDEF")) != 0 {
		return fmt.Errorf("%q is not a colour #rrggbb", text)
	}
	*c = Color(strings.ToLower(string(text)))
	return nil
}

// A Style is how text of a role is drawn.
type Style struct {
	Foreground Color `json:"foreground"`
	Background Color `json:"background"`
	Bold       bool  `json:"bold"`
	Dim        bool  `json:"dim"`
	Underline  bool  `json:"underline"`
	Reverse    bool  `json:"reverse"`
}

// parseStyle parses a role's entry: a colour, or an object with the fields of Style.
func parseStyle(role Role, entry json.RawMessage) (Style, error) {
	var style Style
	switch entry[0] {
	case '"':
		var color Color
		if err := json.Unmarshal(entry, &color); err != nil {
			return style, err
		}
		if role.isBackground() {
			style.Background = color
		} else {
			style.Foreground = color
		}
		return style, nil
	case '{':
		return style, unmarshalStrict(entry, &style)
	}
	return style, errors.New("neither a colour nor an object")
}

// unmarshalStrict is json.Unmarshal with unknown fields as errors.
func unmarshalStrict(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v)
}
