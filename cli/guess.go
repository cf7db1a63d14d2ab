package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/differ"
	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
)

const guessLong = `Guess what the bytes of an unknown file are.

With labels it finds where values stand that you know from the game: LABEL is a
name of yours, with its value in each of the files, in their order. One file
will do; with several, few places are left. They are looked for as numbers of
all sizes, byte orders and signs, as floats and as digits, also times 10, 100,
1000 and divided by 100, in the bytes and in what unpacks from them; what is no
number as text in UTF-8 and UTF-16. What stands before them may differ in
length. The likeliest place is first.

With --rows it shows what differs in several files, a column for each: what
stands before it may differ in length. The exit status is 1 if there is
anything.

Otherwise it lists what is noticed: magic, texts and their lengths, packed
streams, checksums and what they are of, numbers that are sizes or offsets,
times, padding, records of equal length. Each has its likelihood and the lines
of a Kaitai Struct description that say it. Of several files each is listed, and
what is a checksum or a size is one in all of them, which makes it surer.`

const guessExample = `  varview guess slot1.sav slot2.sav slot3.sav gold=120,95,300 hp=87,100,12
  varview guess slot1.sav gold=120
  varview guess slot1.sav slot2.sav slot3.sav --rows grown
  varview guess slot1.sav`

// maxGuessed is the largest size in bytes of a file that is guessed about.
const maxGuessed = 256 << 20

// mostPlaces is the number of places that are printed for a label.
const mostPlaces = 10

func (e commands) guessCommand() *cobra.Command {
	var asJSON bool
	var like string
	cmd := &cobra.Command{
		Use:               "guess FILE... [LABEL=VALUE[,VALUE...]]...",
		Short:             "Guess what the bytes of an unknown file are",
		Long:              guessLong,
		Example:           guessExample,
		Args:              flags.Wants(1, flags.AnyNumber, "one or more FILEs, and LABEL=VALUE for what is looked for in them"),
		ValidArgsFunction: flags.CompleteFiles(-1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.guess(cmd.Context(), args, like, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line")
	cmd.Flags().StringVar(&like, "rows", "", "show several files beside each other, rows that are `changed|same|grown|shrunk|N,N...`")
	cmd.RegisterFlagCompletionFunc("rows", cobra.FixedCompletions([]string{guess.Changed, guess.Same, "grown", "shrunk"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// guess prints what files may hold.
func (e commands) guess(ctx context.Context, args []string, like string, asJSON bool) error {
	names, labels, err := namesAndLabels(args)
	if err != nil {
		return err
	}
	all, err := e.toGuess(ctx, names)
	if err != nil {
		return err
	}
	out := &text.Harmless{W: e.Stdout}
	switch {
	case like != "" && (len(labels) > 0 || len(names) == 1):
		return errors.New("--rows is for several files without labels")
	case like != "":
		return differ.PrintRows(out, names, guess.Beside(all, like == guess.Same), like, asJSON)
	case len(labels) == 0:
		for i, f := range all {
			if err := printNotices(out, names[i], len(names) > 1, guess.Notices(f, slices.Delete(slices.Clone(all), i, i+1)...), asJSON); err != nil {
				return err
			}
		}
		return nil
	}
	return printPlaces(out, labels, guess.Places(all, labels, mostPlaces), asJSON)
}

// namesAndLabels divides arguments into files and what is looked for in them.
func namesAndLabels(args []string) (names []string, labels []guess.Label, err error) {
	var typed []string
	for _, arg := range args {
		if _, err := os.Stat(arg); !strings.Contains(arg, "=") || err == nil {
			names = append(names, arg)
		} else {
			typed = append(typed, arg)
		}
	}
	labels, err = guess.ParseLabels(typed, len(names))
	return names, labels, err
}

// toGuess reads files with what wrappers hold in them.
func (e commands) toGuess(ctx context.Context, names []string) ([]guess.File, error) {
	all := make([]guess.File, len(names))
	numbers := func(yield func(int) bool) {
		for i := range names {
			if !yield(i) {
				return
			}
		}
	}
	err := files.Run(ctx, e.Env, io.Discard, numbers, func(ctx context.Context, e *env.Env, i int, _ io.Writer) error {
		doc, err := e.OpenDocument(ctx, names[i], decoder.Quick, model.Options{ReadOnly: true})
		if err != nil {
			return err
		}
		all[i], err = doc.ToGuess(maxGuessed)
		if doc.Close(); err == nil && all[i] == nil {
			err = fmt.Errorf("%s: guess looks at files of up to %s", names[i], span.Bytes(maxGuessed))
		}
		return err
	})
	return all, err
}

// A noticeLine is a notice as a JSON object, with the name of the file where there may be several.
type noticeLine struct {
	File string `json:"file,omitempty"`
	guess.Notice
	Next json.RawMessage `json:"next"` // the command that goes on
}

func noticeLines(label, file string, all []guess.Notice) (lines []noticeLine) {
	for _, n := range all {
		lines = append(lines, noticeLine{label, n, tree.AppendQuoted(nil, []byte(n.Command(env.ShellWord(file))))})
	}
	return lines
}

// printNotices prints what is noticed in a file, with the lines of a description that say it.
func printNotices(out io.Writer, name string, isOneOfSeveral bool, all []guess.Notice, asJSON bool) error {
	to := bufio.NewWriter(out)
	lines := json.NewEncoder(to)
	if isOneOfSeveral && !asJSON {
		fmt.Fprintf(to, "%s:\n", name)
	}
	for _, n := range noticeLines(name, name, all) {
		if asJSON {
			if err := lines.Encode(n); err != nil {
				return err
			}
			continue
		}
		in := ""
		if n.Buffer != "" {
			in = "in " + n.Buffer + ": "
		}
		fmt.Fprintf(to, "%#08x %6d %3.0f %%  %s%s: %s  [%s]\n", n.Offset, n.Length, 100*n.Likelihood, in, n.What, n.Value, strings.Join(n.Ksy, ", "))
	}
	return to.Flush()
}

// printPlaces prints where labels may stand.
func printPlaces(out io.Writer, labels []guess.Label, places []guess.Candidate, asJSON bool) error {
	to := bufio.NewWriter(out)
	if asJSON {
		lines := json.NewEncoder(to)
		for i := range places {
			if err := lines.Encode(&places[i]); err != nil {
				return err
			}
		}
		return to.Flush()
	}
	for _, l := range labels {
		n := 0
		for i := range places {
			c := &places[i]
			if c.Label != l.Name || c.Likelihood < 0.005 {
				continue
			}
			n++
			fmt.Fprintf(to, "%-12s %3.0f %%  %-5s", tree.Prose([]byte(c.Label)), 100*c.Likelihood, c.Type)
			for _, at := range c.Offsets {
				fmt.Fprintf(to, " %#x", at)
			}
			if c.Factor != 1 {
				fmt.Fprintf(to, "  times %v", c.Factor)
			}
			if c.Buffer != "" {
				fmt.Fprintf(to, "  in %s", c.Buffer)
			}
			fmt.Fprintln(to)
		}
		if n == 0 {
			fmt.Fprintf(to, "%-12s not found\n", tree.Prose([]byte(l.Name)))
		}
	}
	return to.Flush()
}
