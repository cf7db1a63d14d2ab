package flags

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varview/decoder/value/spelling"
	"varview/decoder/wrap"
	"varview/model"
)

// AnyNumber sets no limit on the number of arguments.
const AnyNumber = math.MaxInt

// Wants accepts from least to most arguments, which the error calls what.
func Wants(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		return fmt.Errorf("%s takes %s (\"%s --help\" says more)", cmd.Name(), what, cmd.CommandPath())
	}
}

// FlagError adds help to the error about a flag that does not exist, or has an invalid value. It does not
// repeat a key.
func FlagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, wrap.ErrKeyLength) {
		err = fmt.Errorf("--key: %w", wrap.ErrKeyLength)
		if cmd.Flags().Lookup("match") != nil {
			err = fmt.Errorf("%w; --match NAME matches elements of lists by a key", err)
		}
	}
	meant := ""
	if missing := (*pflag.NotExistError)(nil); errors.As(err, &missing) && len(missing.GetSpecifiedName()) > 1 {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spelling.Nearest(missing.GetSpecifiedName(), names); near != "" {
			meant = "; did you mean --" + near + "?"
		}
	}
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		err = fmt.Errorf("--%s %s: %w", invalid.GetFlag().Name, invalid.GetValue(), plainly(invalid))
	}
	return fmt.Errorf("%w%s (\"%s --help\" lists the flags)", err, meant, cmd.CommandPath())
}

// plainly returns why the value of a flag is invalid, without the names of Go's functions.
func plainly(invalid *pflag.InvalidValueError) error {
	cause := invalid.Unwrap()
	switch kind := invalid.GetFlag().Value.Type(); {
	case errors.Is(cause, strconv.ErrSyntax), errors.Is(cause, strconv.ErrRange):
		return errors.New("it must be a number")
	case kind == "duration":
		return errors.New("it must be a time, as 500ms, 90m or 24h")
	}
	return cause
}

// CheckTogether returns an error that names two flags of which only one may be given, in the words of varview: cobra says it in
// its own after the command's own checks.
func CheckTogether(cmd *cobra.Command) (err error) {
	given := map[string]string{} // a flag by the group it belongs to
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations["cobra_annotation_mutually_exclusive"] {
			if other := given[group]; other != "" {
				err = fmt.Errorf("--%s and --%s exclude each other", other, f.Name)
			}
			given[group] = f.Name
		}
	})
	return err
}

// CompleteFiles completes the first n arguments with the names of files; all if n is negative.
func CompleteFiles(n int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if n < 0 || len(args) < n {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// Divide splits the arguments of a command into files and the rest. Arguments before "--" are files;
// without "--" the first is, unless files come from a list, and so are those after it that isFile
// accepts.
func Divide(cmd *cobra.Command, args []string, from interface{ IsUsed() bool }, isFile func(arg string) bool) (names, rest []string) {
	n := cmd.ArgsLenAtDash()
	if n <= 0 {
		n = 1
		if from.IsUsed() {
			n = 0
		}
		for n < len(args) && isFile(args[n]) {
			n++
		}
	}
	return args[:n], args[n:]
}

// WantsFiles is Wants for one or more files, which may come from a list, and rest arguments after them.
func WantsFiles(from interface{ IsUsed() bool }, rest int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		least := 1 + rest
		if from.IsUsed() {
			least = rest
		}
		return Wants(least, AnyNumber, want)(cmd, args)
	}
}

// An Assignment is a PATH=VALUE of the command line.
type Assignment struct {
	Path  string
	Value string // a literal
}

// Assignments parses several PATH=VALUE.
func Assignments(args []string) ([]Assignment, error) {
	var all []Assignment
	for _, arg := range args {
		path, value, ok := model.CutAssignment(arg)
		if !ok {
			return nil, fmt.Errorf("%q is not PATH=VALUE: there is no = outside brackets and quotes", arg)
		}
		all = append(all, Assignment{path, value})
	}
	return all, nil
}
