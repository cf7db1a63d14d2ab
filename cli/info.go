package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"varview/decoder"
	"varview/model"
	"varview/ui/text"
)

const infoLong = `Say what a file is: who wrote it, how sure that is, how its values follow one
another, and what it holds. The whole file is read for it.`

const infoExample = `  varview info savegame.dat
  varview info --json savegame.dat | jq -r .dialect`

func (e *env) infoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "info FILE",
		Short:             "Say what a file is and what it holds",
		Long:              infoLong,
		Example:           infoExample,
		Args:              wants(1, 1, "one FILE"),
		ValidArgsFunction: completeFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.info(cmd.Context(), args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func (e *env) info(ctx context.Context, name string, asJSON bool) (err error) {
	f, err := e.openFile(ctx, name, decoder.Through)
	if err != nil {
		return err
	}
	defer f.close(&err)
	c, err := takeCensus(ctx, f.Tree)
	if err != nil {
		return err
	}
	if asJSON {
		return writeInfoJSON(e.stdout, f, c)
	}
	out := bufio.NewWriter(e.stdout)
	writeInfo(out, f, c)
	return out.Flush()
}

// writeInfoJSON writes one object. Its keys are never renamed.
func writeInfoJSON(out io.Writer, f *file, c *census) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Format     string   `json:"format"`
		Dialect    string   `json:"dialect"`
		Also       []string `json:"also"`
		Confidence string   `json:"confidence"`
		Framing    string   `json:"framing"`
		BigEndian  bool     `json:"big_endian,omitempty"`
		Wrappers   []string `json:"wrappers"`
		Size       int64    `json:"size"`
		Values     int64    `json:"values"`
		Problems   int64    `json:"problems"`
	}{f.Format, f.Dialect, f.Also, string(f.Confidence), f.Framing, f.BigEndian, []string{}, f.src.Size(), c.values, c.problems()})
}

// confidences say in words how sure a detection is.
var confidences = map[decoder.Confidence]string{
	decoder.Given:   "asked for on the command line",
	decoder.Certain: "certain: no other dialect reads it as cleanly",
	decoder.Likely:  "likely: others read it as cleanly, this is the most common",
	decoder.Weak:    "weak: even this reading meets problems, it may be something else",
}

func writeInfo(out *bufio.Writer, f *file, c *census) {
	row := func(name, value string) { fmt.Fprintf(out, "%-10s  %s\n", name, text.Clean(value)) }
	row("file", displayName(f.name))
	row("format", f.Title+" ("+f.Dialect+")")
	if f.src.Size() == 0 {
		row("confidence", "none: the file is empty")
	} else {
		row("confidence", confidences[f.Confidence])
	}
	if len(f.Also) > 0 {
		row("also", strings.Join(f.Also, ", "))
	}
	framing := f.Framing
	if f.BigEndian {
		framing += ", lengths big-endian"
	}
	row("framing", framing)
	row("size", sizeText(f.src.Size()))
	row("values", model.Grouped(c.values))
	row("problems", c.counts.String())
	if types := c.commonTypes(6); len(types) > 0 {
		row("types", strings.Join(types, ", "))
	}
	r := f.Tree.NewReader()
	for i, n := range c.largest {
		title := "largest"
		if i > 0 {
			title = ""
		}
		row(title, fmt.Sprintf("%s  %s at %#x, %s", r.Path(n), f.Tree.Format.TypeName(&n.Value), n.Start, model.ByteCount(n.End-n.Start)))
	}
}

// displayName is what a file is called in text for people.
func displayName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
