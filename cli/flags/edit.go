package flags

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/decoder/edit"
)

// Output says where and how a file is written.
type Output struct {
	Path  string
	Force bool
}

func (o *Output) Register(cmd *cobra.Command, out, force string) {
	cmd.Flags().StringVarP(&o.Path, "out", "o", "", out)
	cmd.Flags().BoolVar(&o.Force, "force", false, force)
}

// Check fails if there is already a file where one would be written, unless it is the file at own.
func (o *Output) Check(own string) error {
	if o.Force || o.Path == "" || o.Path == "-" || IsSameFile(o.Path, own) {
		return nil
	}
	if err := Absent(o.Path); err != nil {
		return fmt.Errorf("%s: %w", o.Path, err)
	}
	return nil
}

// Absent fails if there is already a file at a path.
func Absent(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return errors.New("the file exists already; --force replaces it")
	}
	return nil
}

// IsSameFile reports whether two paths lead to the same file.
func IsSameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// Edit holds the flags of all commands that edit.
type Edit struct {
	Output
	Unwrap   bool
	NoBackup bool
	InPlace  bool
	DryRun   bool
	JSON     bool
	Patch    string
	Options  edit.Options

	// For convert only.
	Wrap       []string // new wrappers, innermost first
	Generation int      // Godot's major version that is to read encrypted wrappers
}

func (o *Edit) Register(cmd *cobra.Command) {
	o.Output.Register(cmd, "write the result to `OUT`, - for standard output, and leave FILE as it is", "replace OUT even if it exists, or FILE even if it was changed meanwhile")
	flags := cmd.Flags()
	flags.BoolVar(&o.Unwrap, "unwrap", false, "write what the wrappers hold, without them, to OUT")
	flags.BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of FILE as FILE~")
	o.RegisterInPlace(cmd)
	flags.BoolVar(&o.DryRun, "dry-run", false, "print the bytes that would change, and write no values")
	flags.BoolVar(&o.JSON, "json", false, "print each range of bytes that changes as a JSON object")
	flags.StringVar(&o.Patch, "patch", "", "write what is done to `PATCH`, for \"varview set --apply\"; - for standard output, with --dry-run instead of the bytes")
}

// RegisterInPlace adds the flag for files that cannot be replaced.
func (o *Edit) RegisterInPlace(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.InPlace, "in-place", false, "write into the file itself, once a copy is kept, where it cannot be replaced or is another user's")
}

// Replaces reports whether the file with a name is replaced.
func (o *Edit) Replaces(name string) bool {
	return !o.DryRun && name != "-" && (o.Path == "" || IsSameFile(o.Path, name))
}

// RegisterOrphans adds the flag for references to deleted values.
func (o *Edit) RegisterOrphans(cmd *cobra.Command) {
	cmd.Flags().Var(Func{"inherit|undefined", func(word string) error {
		switch word {
		case "inherit":
			o.Options.Orphans = edit.Inherit
		case "undefined":
			o.Options.Orphans = edit.Undefined
		default:
			return errors.New("it must be inherit or undefined")
		}
		return nil
	}}, "orphans", "Elephant: where references lead to what is deleted, the first inherits the value, or all become undefined")
	cmd.RegisterFlagCompletionFunc("orphans", cobra.FixedCompletions([]string{"inherit", "undefined"}, cobra.ShellCompDirectiveNoFileComp))
}

// choices are what a description may leave open, with the help of their flags.
var choices = []struct {
	is   edit.Choice
	help string
}{
	{edit.KeepEqual, "of a description: let numbers follow that were equal to a size, a count, an offset or a checksum, and lists of as many elements; with =NAME,... those only"},
	{edit.Leave, "of a description: leave such numbers, and in any format checksums among the values, and do not name them; with =NAME,... those only"},
	{edit.MakeEmpty, "of a description: what gets another type becomes an empty value of it"},
	{edit.KeepBytes, "of a description: what gets another type keeps its bytes"},
}

// RegisterChoices adds the flags for what an edit of a described file leaves open.
func (o *Edit) RegisterChoices(cmd *cobra.Command) {
	for _, c := range choices {
		cmd.Flags().BoolFunc(string(c.is), c.help, func(typed string) error {
			if typed == "true" {
				o.Options.Choices = append(o.Options.Choices, c.is)
				return nil
			}
			for number := range strings.SplitSeq(typed, ",") {
				o.Options.Choices = append(o.Options.Choices, c.is.For(number))
			}
			return nil
		})
	}
	cmd.MarkFlagsMutuallyExclusive(string(edit.MakeEmpty), string(edit.KeepBytes))
}

// Check refuses flags that cannot be combined.
func (o *Edit) Check(name string) error {
	printsResult := !o.DryRun && o.Path == "-"
	switch {
	case o.JSON && printsResult:
		return errors.New("--json and -o - both print on standard output; give the result a file")
	case o.Patch == "-" && (o.JSON || printsResult):
		return errors.New("--patch - prints on standard output; write the patch to a file")
	case o.Patch != "" && o.Patch != "-" && slices.ContainsFunc([]string{name, o.Path}, func(f string) bool { return IsSameFile(o.Patch, f) }):
		return errors.New("--patch names the file that is edited")
	case o.DryRun:
		return o.checkPatch()
	case name == "-" && o.Path == "":
		return errors.New("standard input cannot be saved in place: give -o OUT, or -o - for standard output")
	case o.Unwrap && o.Path == "":
		return errors.New("--unwrap needs -o OUT: the unwrapped content is another file, and the game looks for this one as it is")
	}
	if err := o.Output.Check(name); err != nil {
		return err
	}
	return o.checkPatch()
}

// CheckSeveral refuses flags that are about one file, if several are edited.
func (o *Edit) CheckSeveral() error {
	switch {
	case o.Path != "":
		return errors.New("-o names one file, but several are edited: each is replaced, and kept as FILE~")
	case o.Patch != "":
		return errors.New("--patch is about one file, but several are edited")
	}
	return nil
}

// checkPatch fails if there is already a file where the patch would be written.
func (o *Edit) checkPatch() error {
	p := o.PatchFile()
	return p.Check("")
}

// PatchFile returns where the patch is written.
func (o *Edit) PatchFile() Output { return Output{Path: o.Patch, Force: o.Force} }
