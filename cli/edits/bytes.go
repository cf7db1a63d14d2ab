package edits

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"varview/cli/flags"
	"varview/model"
)

// setBytes writes bytes into a file without values, which has only offsets.
func setBytes(doc *model.Document, changes []flags.Assignment) (*model.Transaction, error) {
	t, err := doc.Begin(doc.Innermost())
	if err != nil {
		return nil, err
	}
	for _, a := range changes {
		off, b, err := parseBytes(a)
		if err == nil {
			err = t.Bytes(off, int64(len(b)), b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s=%s: %w", a.Path, a.Value, err)
		}
	}
	return t, nil
}

var errBytes = errors.New(`it is bytes in hex digits or a text in quotes, as in 0x1f='x:64 00' or 0x1f='"Mira"'`)

// parseBytes reads an offset and the bytes that are to be there.
func parseBytes(a flags.Assignment) (off int64, b []byte, err error) {
	if off, err = strconv.ParseInt(a.Path, 0, 64); err != nil {
		return 0, nil, errors.New("there are no values here: bytes are set at an offset, as in 0x1f='x:64 00'; --as DIALECT reads the file as values")
	}
	if digits, ok := strings.CutPrefix(a.Value, "x:"); ok {
		b, err = hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	} else {
		var text string
		err = json.Unmarshal([]byte(a.Value), &text)
		b = []byte(text)
	}
	if err != nil || len(b) == 0 {
		return 0, nil, errBytes
	}
	return off, b, nil
}
