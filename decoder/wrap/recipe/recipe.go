// Package recipe reads recipes. A recipe says how a game packs its saves, as a chain of steps from the
// outside in, each of which is a wrapper.
package recipe

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// Extension is the extension of recipe files.
const Extension = ".layers"

// A Recipe says how the saves of a game are packed.
type Recipe struct {
	Name      string   `toml:"-"`                    // name of the game, or of its file
	About     string   `toml:"about,omitempty"`      // description of the saves
	Files     []string `toml:"files,omitempty"`      // patterns of file names
	Starts    string   `toml:"starts,omitempty"`     // their first bytes
	StartsHex string   `toml:"starts-hex,omitempty"` // as hexadecimal digits
	Steps     []Step   `toml:"layer"`

	// Opened, if set, gets what the first step gives when the recipe is tried, for whoever opens the same bytes by it afterwards.
	Opened *Opened `toml:"-"`

	kinds []layer.Wrapper
	path  map[string]string // what {file}, {folder} and so on stand for; nil if nothing is taken from a path
}

// Kinds returns the wrappers of the steps, the outermost first.
func (r *Recipe) Kinds() []layer.Wrapper { return r.kinds }

// Opened is a layer that was opened by the first step of a recipe; nil if none was, or it is taken.
type Opened struct{ *layer.Layer }

// Take returns the layer, if it was opened from a region of src and has no more bytes than a limit; otherwise nil.
func (o *Opened) Take(kind layer.Wrapper, src source.Source, region span.Span, limit int64) (l *layer.Layer) {
	if o != nil && o.Layer != nil && o.Kind == kind && source.Same(o.Source, src) && o.Region == region && o.Payload.Size() <= limit {
		l, o.Layer = o.Layer, nil
	}
	return l
}

// most is the largest size of a recipe's file, mostSteps the largest number of steps.
const (
	most      = 64 << 10
	mostSteps = 12
)

// Read reads a recipe's file.
func Read(file string) (*Recipe, error) {
	text, err := source.ReadRegular(file, most)
	r := &Recipe{}
	if err == nil {
		r, err = parse(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r.Name = filepath.Base(file)
	return r, nil
}

func parse(text []byte) (*Recipe, error) {
	r := &Recipe{}
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(r)
	at, strict := (*toml.DecodeError)(nil), (*toml.StrictMissingError)(nil)
	if errors.As(err, &strict) {
		at, err = &strict.Errors[0], fmt.Errorf("there is no %s", strings.Join(strict.Errors[0].Key(), "."))
	}
	if at != nil || errors.As(err, &at) {
		row, _ := at.Position()
		return nil, fmt.Errorf("line %d: %w", row, err)
	} else if err != nil {
		return nil, err
	}
	return r, r.complete()
}

// complete checks the recipe and makes its kinds.
func (r *Recipe) complete() error {
	if n := len(r.Steps); n == 0 || n > mostSteps {
		return fmt.Errorf("a recipe must have 1 to %d steps, each after [[layer]]", mostSteps)
	}
	if _, err := hex.DecodeString(r.StartsHex); err != nil || r.Starts != "" && r.StartsHex != "" {
		return errors.New("starts-hex must be hexadecimal digits in pairs, in place of starts")
	}
	for _, pattern := range r.Files {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q is not a pattern of file names", pattern)
		}
	}
	r.kinds = make([]layer.Wrapper, len(r.Steps))
	for i, s := range r.Steps {
		k, err := s.Kind()
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		r.kinds[i] = k
	}
	return nil
}

// Fits reports whether the recipe is for a file, by the file's name and first bytes. A recipe that
// specifies neither is for the file whose name it continues: save.dat.layers for save.dat.
func (r *Recipe) Fits(file string, start []byte) bool {
	base := filepath.Base(file)
	magic, _ := bytesOf(r.Starts, r.StartsHex)
	if len(r.Files) == 0 && len(magic) == 0 {
		return r.Name == base+Extension
	}
	named := len(r.Files) == 0 || slices.ContainsFunc(r.Files, func(pattern string) bool {
		ok, _ := filepath.Match(strings.ToLower(pattern), strings.ToLower(base))
		return ok
	})
	return named && bytes.HasPrefix(start, magic)
}

// Chain describes the steps in a line: "base64 → xor".
func (r *Recipe) Chain() string {
	var all []string
	for _, s := range r.Steps {
		all = append(all, s.Step)
	}
	return strings.Join(all, " → ")
}

// Text returns the recipe as a file.
func (r *Recipe) Text() string {
	b, _ := toml.Marshal(r) // all fields can be written
	return string(b)
}

// New makes a recipe of steps.
func New(name string, files []string, steps ...Step) (*Recipe, error) {
	r := &Recipe{Name: name, Files: files, Steps: steps}
	return r, r.complete()
}

// Known are the recipes that come with the program: for games whose code or documents are public, and for
// steps that begin with a signature. They are used only if the result is readable.
var Known = []*Recipe{
	known("Slay the Spire", []string{"*.autosave", "*.autosavebeta"}, Step{Step: "base64"}, Step{Step: "xor", Key: "key"}),
	known("RPG Maker MV", []string{"*.rpgsave"}, Step{Step: "lz-string"}),
	known("RPG Maker MZ", []string{"*.rmmzsave"}, Step{Step: "latin1"}, Step{Step: "zlib"}),
	known("Balatro", []string{"*.jkr"}, Step{Step: "deflate", Level: 1}),
	known("Stoneshard", []string{"data.sav"}, Step{Step: "zlib"}, Step{Step: "checksum", Secret: "stOne!characters_v1!{folder2}!{folder}!shArd"}),
	known("Thrive", []string{"*.thrivesave"}, Step{Step: "gzip"}, Step{Step: "tar"}),
	known("Fields of Mistria", []string{"*.sav"}, Step{Step: "zlib"}, Step{Step: "pieces"}),
	known("UFO 50", []string{"*.ufo"}, Step{Step: "base64"}),
	known("Hero Siege", []string{"*.hss"}, Step{Step: "base64"}, Step{Step: "zlib"}, // as its save editors publish it
		Step{Step: "xor", KeyHex: "e3953db1016bb65854383f46a17429cc454551f2a7f7abb726f137a88191e67e"}, Step{Step: "utf16"}),
	known("Siralim Ultimate", []string{"*.sav"}, // as its save editors publish it
		Step{Step: "add", Form: inINI, Add: []any{int64('Q'), int64('W'), int64('E'), int64('R'), int64('T'), int64('Y')}}),
	known("Super Mario Maker: World Engine", []string{"*.swe"}, // as its save editors publish it
		Step{Step: "checksum", Sum: "hmac-sha1", Secret: "2559F35097-2021"}, Step{Step: "base64"}),
	begins("ES4GD", "d4add58d", Step{Step: "add", Add: 1234}), // of GDevelop: "[{" of a text to whose characters it was added
	begins("gzip", "1f8b08", Step{Step: "gzip"}),
	begins("zstd", "28b52ffd", Step{Step: "zstd"}),
	begins("zip archive", "504b0304", Step{Step: "zip"}),
	known("tar archive", []string{"*.tar"}, Step{Step: "tar"}),
	known("packed tar archive", []string{"*.tar.gz", "*.tgz"}, Step{Step: "gzip"}, Step{Step: "tar"}),
	begins("gzip in base64", "48347349", Step{Step: "base64"}, Step{Step: "gzip"}),
	begins("zstd in base64", "4b4c55762f", Step{Step: "base64"}, Step{Step: "zstd"}),
}

func known(name string, files []string, steps ...Step) *Recipe {
	r, err := New(name, files, steps...)
	if err != nil {
		panic(err)
	}
	return r
}

// begins returns the recipe of the files that begin with a signature.
func begins(name, hex string, steps ...Step) *Recipe {
	r := known(name, nil, steps...)
	r.StartsHex = hex
	return r
}

// isStream reports whether a known recipe is that of a packed stream with a signature.
func (r *Recipe) isStream() bool { return r.Name == r.Steps[0].Step }

// Packed returns the kind that unpacks a stream with a signature at the beginning of b, and the number of its
// bytes; nil if there is none, or it cannot be unpacked to the end. b is all that may belong to it.
func Packed(b []byte, limit int64) (k layer.Wrapper, size int64) {
	for _, r := range Known {
		if magic, _ := bytesOf("", r.StartsHex); !r.isStream() || !bytes.HasPrefix(b, magic) {
			continue
		}
		stream := b
		if r.Name == "zstd" {
			stream = zstdFrames(b)
		}
		_, err := codecs[r.Steps[0].Step].all(&r.Steps[0], stream, limit)
		if more := surplusError(0); errors.As(err, &more) {
			return r.kinds[0], int64(len(stream)) - int64(more)
		} else if err == nil {
			return r.kinds[0], int64(len(stream))
		}
	}
	return nil, 0
}

// Signatures lists the bytes with which such streams begin.
func Signatures() (all []string) {
	for _, r := range Known {
		if magic, _ := bytesOf("", r.StartsHex); r.isStream() {
			all = append(all, string(magic))
		}
	}
	return all
}
