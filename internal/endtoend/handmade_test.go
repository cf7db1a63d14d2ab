package endtoend

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A handmade file was written by no engine, but byte by byte from the
// specification. Its source is the notation that assemble reads; the files
// under testdata are made from it with
// "go test ./internal/endtoend -run Handmade -update".
type handmade struct {
	name    string   // below testdata, without .bin
	source  string   // see assemble
	args    []string // flags that it takes to be read as meant
	dialect string   // the dialect detected without them, or one of those that read the file as well
	framing string
	text    string   // export --text
	found   []string // check: severity code offset path
}

// TestHandmade compares the handmade files with their source, and what is read from
// them with the specification.
func TestHandmade(t *testing.T) {
	long(t)
	t.Parallel()
	for _, h := range append(slices.Clone(wellMade), damaged...) {
		t.Run(h.name, func(t *testing.T) {
			name := filepath.Join("testdata", h.name+".bin")
			data, err := assemble(h.source)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(name, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if kept, err := os.ReadFile(name); err != nil || !bytes.Equal(kept, data) {
				t.Fatalf("%s is not what its source says (%v); go test ./internal/endtoend -run Handmade -update writes it", name, err)
			}
			h.test(t, name)
			checkTiling(t, name, int64(len(data)), h.args...)
		})
	}
}

// noValues is the text of a file that is not a save, whose values cannot be exported.
const noValues = "not a save"

func (h *handmade) test(t *testing.T, name string) {
	if h.text == noValues {
		run(t, 2, h.command("export", "--text", name)...)
	} else if got := run(t, 0, h.command("export", "--text", name)...).stdout; strings.TrimSuffix(got, "\n") != h.text {
		t.Errorf("export --text:\n got %s\nwant %s", got, h.text)
	}
	var info struct {
		Dialect, Framing string
		Also             []string
		Problems         int
	}
	if err := json.Unmarshal([]byte(run(t, 0, "info", "--json", name).stdout), &info); err != nil {
		t.Fatal(err)
	}
	if h.dialect != "" && (info.Dialect != h.dialect && !slices.Contains(info.Also, h.dialect) || info.Framing != h.framing) {
		t.Errorf("detected as %s, %s (also %s), want %s, %s", info.Dialect, info.Framing, info.Also, h.dialect, h.framing)
	}
	status, problems := 0, 0
	for _, f := range h.found {
		switch severity, _, _ := strings.Cut(f, " "); severity {
		case "error":
			status = 1
			problems++
		case "warning":
			problems++
		}
	}
	if h.args == nil && info.Problems != problems {
		t.Errorf("info counts %d problems, want %d", info.Problems, problems)
	}
	var found []string
	for line := range strings.Lines(run(t, status, h.command("check", "--json", name)...).stdout) {
		var p struct {
			Severity, Code, Path string
			Offset               int64
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		found = append(found, fmt.Sprintf("%s %s %#x %s", p.Severity, p.Code, p.Offset, p.Path))
	}
	if !slices.Equal(found, h.found) {
		t.Errorf("check:\n got %s\nwant %s", strings.Join(found, "\n     "), strings.Join(h.found, "\n     "))
	}
}

// command returns a command with the flags of the file.
func (h *handmade) command(args ...string) []string { return append(args, h.args...) }

// assemble makes bytes from words: hex digits, "text", and numbers in
// little-endian, u:5 in 32 bits, q:5 in 64, f:1.5 as a 32-bit and d:1.5 as a
// 64-bit float. A word may be followed by *3 to have it three times. What
// follows # on a line is a comment.
func assemble(source string) ([]byte, error) {
	var all []byte
	for line := range strings.Lines(source) {
		line, _, _ = strings.Cut(line, " #")
		for _, word := range strings.Fields(line) {
			word, times, repeated := strings.Cut(word, "*")
			n := 1
			if repeated {
				var err error
				if n, err = strconv.Atoi(times); err != nil {
					return nil, fmt.Errorf("%q: %w", word, err)
				}
			}
			b, err := assembleWord(word)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", word, err)
			}
			all = append(all, bytes.Repeat(b, n)...)
		}
	}
	return all, nil
}

func assembleWord(word string) ([]byte, error) {
	kind, number, tagged := strings.Cut(word, ":")
	switch {
	case strings.HasPrefix(word, `"`):
		s, err := strconv.Unquote(word)
		return []byte(s), err
	case !tagged:
		return hex.DecodeString(word)
	}
	le := binary.LittleEndian
	switch kind {
	case "u":
		n, err := strconv.ParseInt(number, 0, 64)
		return le.AppendUint32(nil, uint32(n)), err
	case "q":
		n, err := strconv.ParseInt(number, 0, 64)
		return le.AppendUint64(nil, uint64(n)), err
	case "f":
		x, err := strconv.ParseFloat(number, 32)
		return le.AppendUint32(nil, math.Float32bits(float32(x))), err
	case "d":
		x, err := strconv.ParseFloat(number, 64)
		return le.AppendUint64(nil, math.Float64bits(x)), err
	}
	return nil, fmt.Errorf("no such word")
}
