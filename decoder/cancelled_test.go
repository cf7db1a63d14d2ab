package decoder

import (
	"context"
	"encoding/base64"
	"testing"

	"varview/decoder/engine/source"
)

// A shortContext ends after it was asked so often.
type shortContext struct {
	context.Context
	left int
}

func (c *shortContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledAnywhere: opening that is cancelled ends with an error or a document, wherever it is when that happens.
func TestCancelledAnywhere(t *testing.T) {
	save := readFile(t, "../testdata/godot4/save-player-stats.bin")
	digits := base64.StdEncoding.EncodeToString(save)
	for name, text := range map[string]string{
		"bare": string(save), "digits": digits, "a header and digits": "SAVE 1\n" + digits, "digits in JSON": `{"save":"` + digits + `"}`,
		"two lines of digits": digits + "\n" + digits, "a header without digits": "SAVE 1\nhello",
	} {
		ended := false
		for n := 0; n < 1<<16 && !ended; n += 1 + n/16 {
			c := &shortContext{context.Background(), n}
			d, err := Open(c, source.Bytes(text), Options{})
			ended = err == nil && c.left >= 0
			if err == nil {
				d.Close()
			}
		}
		if !ended {
			t.Errorf("%s: never opened", name)
		}
	}
}
