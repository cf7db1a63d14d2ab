package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"varview/decoder/edit"
)

// outFlags say where and how a file is written.
type outFlags struct {
	out   string
	force bool
}

func (o *outFlags) register(cmd *cobra.Command, out, force string) {
	cmd.Flags().StringVarP(&o.out, "out", "o", "", out)
	cmd.Flags().BoolVar(&o.force, "force", false, force)
}

// check reports a file that stands where one would be written. The file at own may.
func (o *outFlags) check(own string) error {
	if o.force || o.out == "" || o.out == "-" || isSame(o.out, own) {
		return nil
	}
	if err := absent(o.out); err != nil {
		return fmt.Errorf("%s: %w", o.out, err)
	}
	return nil
}

// absent reports a file that is at a path already.
func absent(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return errors.New("there is such a file already; --force replaces it")
	}
	return nil
}

// isSame reports whether two paths lead to one file.
func isSame(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// editFlags are those of all commands that edit.
type editFlags struct {
	outFlags
	unwrap   bool
	noBackup bool
	dryRun   bool
	json     bool
	patch    string
	options  edit.Options
}

func (o *editFlags) register(cmd *cobra.Command) {
	o.outFlags.register(cmd, "write the result to `OUT`, - for standard output, and leave FILE as it is", "replace OUT, also where it exists, or FILE, also where it was changed meanwhile")
	flags := cmd.Flags()
	flags.BoolVar(&o.unwrap, "unwrap", false, "write what the wrappers hold, without them, to OUT")
	flags.BoolVar(&o.noBackup, "no-backup", false, "keep no copy of FILE as FILE~")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the bytes that would change, and write no values")
	flags.BoolVar(&o.json, "json", false, "--dry-run as a JSON object a range of bytes")
	flags.StringVar(&o.patch, "patch", "", "write what is done to `PATCH`, for \"varview set --apply\"; - for standard output, with --dry-run instead of the bytes")
}

// registerOrphans adds the flag for references to what is taken away.
func (o *editFlags) registerOrphans(cmd *cobra.Command) {
	cmd.Flags().Var((*orphansFlag)(&o.options.Orphans), "orphans", "Elephant: where references lead to what is taken away, the first inherits the value, or all become undefined")
	cmd.RegisterFlagCompletionFunc("orphans", cobra.FixedCompletions([]string{"inherit", "undefined"}, cobra.ShellCompDirectiveNoFileComp))
}

// check reports flags that do not go together.
func (o *editFlags) check(name string) error {
	switch {
	case o.json && !o.dryRun:
		return errors.New("--json is a form of what --dry-run prints")
	case o.patch == "-" && (o.json || !o.dryRun && o.out == "-"):
		return errors.New("--patch - has standard output for itself; give the patch a file")
	case o.patch != "" && o.patch != "-" && (isSame(o.patch, name) || isSame(o.patch, o.out)):
		return errors.New("--patch names the file that is edited")
	case o.dryRun:
		return o.checkPatch()
	case name == "-" && o.out == "":
		return errors.New("standard input has no place to be saved to: -o OUT says where, -o - is standard output")
	case o.unwrap && o.out == "":
		return errors.New("--unwrap needs -o OUT: what is unwrapped is another file, and the game looks for this one as it is")
	}
	if err := o.outFlags.check(name); err != nil {
		return err
	}
	return o.checkPatch()
}

// checkPatch reports a file that stands where the patch would be written.
func (o *editFlags) checkPatch() error {
	p := o.patchFile()
	return p.check("")
}

// patchFile is where the patch is written.
func (o *editFlags) patchFile() outFlags { return outFlags{out: o.patch, force: o.force} }

// orphansFlag is edit.Orphans on the command line.
type orphansFlag edit.Orphans

// String implements pflag.Value.
func (o *orphansFlag) String() string { return "" }

// Type implements pflag.Value.
func (o *orphansFlag) Type() string { return "inherit|undefined" }

// Set implements pflag.Value.
func (o *orphansFlag) Set(s string) error {
	switch s {
	case "inherit":
		*o = orphansFlag(edit.Inherit)
	case "undefined":
		*o = orphansFlag(edit.Undefined)
	default:
		return errors.New("it is inherit or undefined")
	}
	return nil
}
