// Package flags holds the flags and arguments that several commands take.
package flags

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/wrap"
)

// Open says how a file is to be read.
type Open struct {
	Dialect        string
	Framing        string
	Prefer         []string // dialects, from the configuration
	Double         bool
	offset, length int64

	input       string
	passwords   []password // they may be empty
	keys        [][]byte
	maxUnpacked int64
	Schemas     []string
	Project     string // folder of the game; "" for none

	description string   // file; "" for none
	imports     []string // folders
	described   format.Format
	layers      string // name of a recipe, or "none"; "" to find one
	recipe      *decoder.Recipe
}

func (o *Open) Register(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringVar(&o.Dialect, "as", "", "`DIALECT` to read the file as, see \"varview formats\" (default: detected)")
	flags.StringVar(&o.Framing, "framing", "", "`FRAMING` of the values, raw, stream or sequence (default: detected)")
	flags.BoolVar(&o.Double, "double", false, "vectors and the like have 64-bit floats without a mark (double-precision Godot 3)")
	flags.Var(ByteCount{N: &o.offset}, "offset", "where to start in the file, in bytes, 0x for hex")
	flags.Var(ByteCount{N: &o.length, min: 1}, "length", "how many bytes of the file to read (default: up to the end)")
	flags.StringVar(&o.input, "input", "", "`FORM` of the file itself, binary, hex or base64 (default: detected)")
	addFile := func(name string) error {
		o.passwords = append(o.passwords, password{file: name})
		return nil
	}
	flags.Var(Func{"TEXT", func(text string) error {
		if text == "-" {
			return addFile(text)
		}
		o.passwords = append(o.passwords, password{text: text})
		return nil
	}}, "password", "password of an encrypted file, - to read it from standard input; repeatable (default: $VARVIEW_PASSWORD)")
	flags.Var(Func{"FILE", addFile}, "password-file", "`FILE` with the password of an encrypted file, which then is not in the list of processes; repeatable")
	flags.Var(Func{"HEX", o.addKey}, "key", "key of an encrypted file, 64 hex digits, repeatable (default: $VARVIEW_KEY)")
	flags.StringArrayVar(&o.Schemas, "schema", nil, "`PATH` of the game's GML, a file or folder, for Elephant; repeatable (what is next to the file and in its project is found)")
	flags.StringVar(&o.description, "ksy", "", "`FORMAT.ksy` that describes the file in the language of Kaitai Struct")
	flags.StringArrayVar(&o.imports, "ksy-path", nil, "folder `DIR` in which the imports of FORMAT.ksy are looked for, repeatable")
	cmd.MarkPersistentFlagFilename("ksy", "ksy")
	cmd.MarkPersistentFlagDirname("ksy-path")
	flags.StringVar(&o.layers, "layers", "", "`RECIPE` of how the file is packed: a file NAME.layers, the name of a known one, or none (default: found by the file's name)")
	cmd.MarkPersistentFlagFilename("layers", "layers")
	flags.StringVar(&o.Project, "project", "", "folder `DIR` of the game: its scripts name the methods that a capture of Godot 4 has by number")
	cmd.MarkPersistentFlagDirname("project")
	o.maxUnpacked = decoder.DefaultMaxUnpacked
	flags.Var(ByteSize{Size: &o.maxUnpacked}, "max-unpacked", "most bytes that a wrapper may hold, also as 64M or 2G")
	cmd.RegisterFlagCompletionFunc("as", CompleteDialects)
	cmd.RegisterFlagCompletionFunc("framing", completeFramings)
	cmd.RegisterFlagCompletionFunc("input", completeInputs)
	cmd.MarkPersistentFlagFilename("schema", "gml")
	for _, name := range []string{"password", "key", "max-unpacked"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// CompleteDialects completes the name of a dialect.
func CompleteDialects(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, d := range decoder.Dialects() {
		names = append(names, cobra.CompletionWithDesc(d.Name, d.About))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func completeFramings(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, f := range decoder.Framings() {
		names = append(names, cobra.CompletionWithDesc(f.Name, f.About))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func completeInputs(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	inputs := []cobra.Completion{cobra.CompletionWithDesc("binary", "bytes, even if they look like text")}
	for _, k := range wrap.Texts() {
		inputs = append(inputs, cobra.CompletionWithDesc(k.String(), k.Meaning()))
	}
	return inputs, cobra.ShellCompDirectiveNoFileComp
}

// A password is a text, or what is in a file.
type password struct {
	text string
	file string // "-" for standard input; "" for none
}

// maxPassword is the largest size of a password file in bytes.
const maxPassword = 1 << 20

// ReadPasswords reads the passwords in files, with a function that reads one. A line end after a password
// is not part of it.
func (o *Open) ReadPasswords(read func(name string, most int64) ([]byte, error)) error {
	for i, p := range o.passwords {
		if p.file == "" {
			continue
		}
		b, err := read(p.file, maxPassword)
		if err != nil {
			return fmt.Errorf("the password: %w", err)
		}
		o.passwords[i] = password{text: string(bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r")))}
	}
	return nil
}

// addKey adds a key of 32 bytes.
func (o *Open) addKey(digits string) error {
	key, err := hex.DecodeString(digits)
	if err != nil || len(key) != 32 {
		return wrap.ErrKeyLength
	}
	o.keys = append(o.keys, key)
	return nil
}

// Options returns the options set by flags, or by the environment if a flag was not given. Check reports
// a malformed key in the environment.
func (o *Open) Options(t decoder.Thoroughness) decoder.Options {
	d := decoder.Options{Dialect: o.Dialect, Framing: o.Framing, Prefer: o.Prefer, Double: o.Double, Offset: o.offset, Length: o.length, Thorough: t,
		Input: o.input, Keys: o.keys, MaxUnpacked: o.maxUnpacked, Described: o.described, Recipe: o.recipe, NoRecipe: o.layers == "none"}
	for _, p := range o.passwords {
		d.Passwords = append(d.Passwords, p.text)
	}
	if len(d.Passwords)+len(d.Keys) > 0 {
		return d
	}
	if text, set := os.LookupEnv("VARVIEW_PASSWORD"); set {
		d.Passwords = []string{text}
	}
	if text := os.Getenv("VARVIEW_KEY"); text != "" {
		key, err := hex.DecodeString(text)
		if err != nil {
			key = nil // Check refuses it for its length
		}
		d.Keys = [][]byte{key}
	}
	return d
}

// Check refuses flags that no file could satisfy, and schemas that do not exist.
func (o *Open) Check() error {
	options := o.Options(decoder.Quick)
	err := options.Check()
	if errors.Is(err, wrap.ErrKeyLength) {
		return fmt.Errorf("VARVIEW_KEY: %w", err) // the key in a flag was checked already
	}
	for _, path := range o.Schemas {
		if _, missing := os.Stat(path); err == nil && missing != nil {
			err = fmt.Errorf("--schema %s: %w", path, source.Plain(missing))
		}
	}
	if err == nil && o.layers != "" && o.layers != "none" {
		if o.recipe, err = decoder.ReadRecipe(o.layers); err != nil {
			err = fmt.Errorf("--layers: %w", err)
		}
	}
	if err != nil {
		return err
	}
	return o.checkDescription()
}

// checkDescription reads the description, and refuses flags that cannot be combined with it.
func (o *Open) checkDescription() (err error) {
	switch {
	case o.description != "" && (o.Dialect != "" || o.Framing != "" || o.Double || o.input != ""):
		err = errors.New("--ksy already says how the file is read: it cannot be combined with --as, --framing, --double or --input")
	case o.description != "" && o.described == nil:
		if o.described, err = decoder.ReadDescription(o.description, o.imports); err != nil {
			err = fmt.Errorf("--ksy: %w", err)
		}
	case o.description == "" && len(o.imports) > 0:
		err = errors.New("--ksy-path is only for the imports of --ksy")
	}
	return err
}
