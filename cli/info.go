package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/census"
	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/saves"
)

const infoLong = `Say what a file is: what wrote it, how certain that is, its wrappers, its
framing and its values; for an Elephant file also the constructors of its
structs, and where their schemas are. It reads the whole file.`

const infoExample = `  varview info savegame.dat
  varview info --json savegame.dat | jq -r .dialect
  varview info --preview 80x24 --color always savegame.dat
  varview info --json 'saves/**/*.dat' | jq -r '.file + " " + .dialect'`

func (e commands) infoCommand() *cobra.Command {
	var o infoOptions
	cmd := &cobra.Command{
		Use:               "info FILE...",
		Short:             "Say what a file is and what it holds",
		Long:              infoLong,
		Example:           infoExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "one or more FILEs"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.info(cmd.Context(), args, &o)
		},
	}
	cmd.Flags().StringVar(&o.preview, "preview", "", "only the first values, in `WxH` columns and lines, for file managers")
	cmd.RegisterFlagCompletionFunc("preview", cobra.NoFileCompletions)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object, with the name of the file if there are several")
	o.Register(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "preview")
	return cmd
}

type infoOptions struct {
	json    bool
	preview string // WIDTHxHEIGHT; "" for none
	files.Selected
}

// info describes all files.
func (e commands) info(ctx context.Context, names []string, o *infoOptions) error {
	var width, height int
	if o.preview != "" {
		if n, err := fmt.Sscanf(o.preview, "%dx%d", &width, &height); n != 2 || err != nil || width < 1 || height < 2 {
			return fmt.Errorf("--preview %s: this is not WxH, as 80x24", o.preview)
		}
	}
	return o.Each(ctx, e.Env, e.Out(o.json), names, func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		if o.preview != "" {
			return commands{one}.preview(ctx, f, width, height, out)
		}
		return commands{one}.infoOf(ctx, f, o.json, out)
	})
}

// preview prints the first values of a file, of which it reads no more than that takes.
func (e commands) preview(ctx context.Context, file files.File, width, height int, out io.Writer) error {
	l := saves.LookInto(ctx, file.Path, height-1, 4*width)
	if l.Err != nil {
		return l.Err
	}
	title := l.Title
	switch {
	case l.IsLocked:
		title += ", encrypted"
	case l.Problems != "":
		title += ", with " + l.Problems
	}
	colors, err := e.Palette()
	if err == nil {
		_, err = out.Write(output.AppendPreview(nil, title, l.Rows[:min(len(l.Rows), height-1)], colors, width))
	}
	return err
}

// infoOf describes one file.
func (e commands) infoOf(ctx context.Context, file files.File, asJSON bool, out io.Writer) (err error) {
	f, err := e.OpenFile(ctx, file.Path, decoder.Quick)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	c, err := census.Take(ctx, e.Env, f)
	if err != nil {
		return err
	}
	if asJSON {
		noticed, err := f.Document.Noticed()
		if err != nil {
			return err
		}
		return writeInfoJSON(out, file.Label(), f, c, noticeLines("", env.DisplayName(f.Name), noticed))
	}
	lines := bufio.NewWriter(out)
	writeInfo(lines, f, c)
	if err := writeNoticed(lines, f); err != nil {
		return err
	}
	if file.IsOneOf {
		lines.WriteByte('\n')
	}
	return lines.Flush()
}

// writeInfoJSON writes one object. Its keys are never renamed.
func writeInfoJSON(out io.Writer, label string, f *env.File, c *census.Census, noticed []noticeLine) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		File         string                `json:"file,omitempty"`
		Format       string                `json:"format"`
		Dialect      string                `json:"dialect"`
		Also         []string              `json:"also"`
		Confidence   string                `json:"confidence"`
		Alternative  *alternativeInfo      `json:"alternative,omitempty"`
		Framing      string                `json:"framing"`
		BigEndian    bool                  `json:"big_endian,omitempty"`
		Wrappers     []string              `json:"wrappers"`
		Layers       []layerInfo           `json:"layers"`
		Missing      *missingInfo          `json:"missing,omitempty"`
		Size         int64                 `json:"size"`
		PlainSize    *int64                `json:"plain_size"` // size of the buffer with the values
		Values       int64                 `json:"values"`
		Problems     int64                 `json:"problems"`
		Constructors []*census.StructCount `json:"constructors,omitempty"`
		MoreStructs  int64                 `json:"more_structs,omitempty"` // structs of constructors that are not listed
		Noticed      []noticeLine          `json:"noticed,omitempty"`      // what is noticed in an unknown file
	}{
		label, f.Format, f.Dialect, f.Also, string(f.Confidence), alternativeInfoOf(f), f.Framing, f.BigEndian, f.Wrappers(), layerInfos(f), missingInfoOf(f),
		f.Size(), f.PlainSize(), c.Values, c.Problems(), c.Structs.Sorted(f.Libraries), c.Structs.Others, noticed,
	})
}

// layerInfo is a wrapper as a JSON object.
type layerInfo struct {
	Wrapper string `json:"wrapper"`
	Title   string `json:"title"`
	Size    *int64 `json:"size"` // of its content
}

func layerInfos(f *env.File) []layerInfo {
	infos := []layerInfo{}
	for i, l := range f.Layers {
		info := layerInfo{Wrapper: l.Kind.String(), Title: l.Title}
		if l.Payload != nil && (f.Missing == nil || i < len(f.Layers)-1) {
			size := l.Payload.Size()
			info.Size = &size
		}
		infos = append(infos, info)
	}
	return infos
}

// missingInfo is the JSON object that explains why the values cannot be read.
type missingInfo struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func missingInfoOf(f *env.File) *missingInfo {
	if f.Missing == nil {
		return nil
	}
	return &missingInfo{f.Missing.Code, f.Missing.Message}
}

// alternativeInfo is the JSON object of another reading that is about as likely.
type alternativeInfo struct {
	Dialect  string `json:"dialect"`
	Framing  string `json:"framing"`
	Likelier bool   `json:"likelier"`
}

func alternativeInfoOf(f *env.File) *alternativeInfo {
	if f.Alternative == nil {
		return nil
	}
	or := f.Alternative.Format.Info()
	return &alternativeInfo{or.Dialect.Name, or.Framing, f.Alternative.Likelier}
}

// confidence describes how certain the detection of a file is.
func confidence(f *env.File) string {
	switch {
	case f.Size() == 0:
		return "none, because the file is empty"
	case f.Confidence == decoder.Given:
		return "asked for on the command line"
	case f.Confidence == decoder.Certain:
		return "certain: no other dialect reads it as cleanly"
	case f.Confidence == decoder.Likely && len(f.Also) > 0:
		return "likely: others read it as cleanly; this is the most plausible, or else the most common"
	case f.Confidence == decoder.Likely:
		return "likely: no other dialect reads it as cleanly, but little speaks for this one"
	case f.Fits():
		return "weak: another dialect is about as likely, if the file is damaged"
	}
	return "weak: even this reading has problems, it may be something else"
}

func writeInfo(out *bufio.Writer, f *env.File, c *census.Census) {
	row := func(name, value string) { fmt.Fprintf(out, "%-10s  %s\n", name, text.Clean(value)) }
	row("file", env.DisplayName(f.Name))
	if len(f.Layers) > 0 {
		row("wrappers", layerTitles(f))
	}
	if f.Missing != nil {
		row("values", "not available: "+f.MissingText())
		row("size", output.SizeText(f.Size()))
		row("problems", c.Counts.String())
		return
	}
	if f.IsForeign() {
		row("format", f.ForeignKind())
		row("size", output.SizeText(f.Size()))
		row("problems", c.Counts.String())
		return
	}
	row("format", f.Title+" ("+f.Dialect+")")
	row("confidence", confidence(f))
	also := slices.Clone(f.Also)
	if f.Rival > 0 {
		also = append(also, fmt.Sprintf("an own header of %s (--offset %d)", span.Bytes(f.Rival), f.Rival))
	}
	if len(also) > 0 {
		row("also", strings.Join(also, ", "))
	}
	if f.Alternative != nil {
		or := f.Alternative.Format.Info()
		likelier := ""
		if f.Alternative.Likelier {
			likelier = ", which is likelier"
		}
		row("or", fmt.Sprintf("damaged %s (%s)%s", or.Title(), or.Flags(), likelier))
	}
	if f.IsFramed() {
		framing := f.Framing
		if f.BigEndian {
			framing += ", lengths big-endian"
		}
		row("framing", framing)
	}
	row("size", output.SizeText(f.Size()))
	if len(f.Layers) > 0 {
		row("unpacked", output.SizeText(*f.PlainSize()))
	}
	row("values", span.Grouped(c.Values))
	row("problems", c.Counts.String())
	if types := c.CommonTypes(6, dialectTypes(f.Dialect)); len(types) > 0 {
		row("types", strings.Join(types, ", "))
	}
	for i, s := range c.Structs.Rows(f.Libraries) {
		row(first(i, "structs"), s)
	}
	r := f.Tree.NewReader()
	for i, n := range c.Largest {
		row(first(i, "largest"), fmt.Sprintf("%s  %s at %#x, %s", r.Path(n), f.Tree.Reading.TypeName(&n.Value), n.Start, span.Bytes(n.End-n.Start)))
	}
}

// writeNoticed lists what is noticed in a file that nothing explains, with the commands that go on.
func writeNoticed(out *bufio.Writer, f *env.File) error {
	const most, mostValue = 8, 60 // rows, and characters of a value
	all, err := f.Document.Noticed()
	if err != nil || !f.IsUnexplained() {
		return err
	}
	name := text.Clean(env.ShellWord(env.DisplayName(f.Name)))
	for i, x := range all[:min(len(all), most)] {
		fmt.Fprintf(out, "%-10s  %s  (%s)\n", first(i, "noticed"), text.Clean(fmt.Sprintf("%s: %s: %s", x.Where(), x.What, text.Head(x.Value, mostValue))), x.Command(name))
	}
	fmt.Fprintf(out, "%-10s  varview guess %s lists all that is noticed; with gold=120, where a known value stands\n", "go on", name)
	return nil
}

// first returns the title for the first of several rows, and otherwise "".
func first(i int, title string) string {
	if i > 0 {
		return ""
	}
	return title
}

// layerTitles lists the wrappers, outermost first.
func layerTitles(f *env.File) string {
	var titles []string
	for _, l := range f.Layers {
		titles = append(titles, l.Title)
	}
	return strings.Join(titles, " → ")
}

// dialectTypes returns the names of a dialect's types.
func dialectTypes(name string) []string {
	for _, d := range decoder.Dialects() {
		if d.Name == name {
			return d.Types
		}
	}
	return nil
}
