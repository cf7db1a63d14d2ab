package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"varview/decoder"
)

const formatsLong = `List the dialects and framings that varview knows, as --as and --framing take
them, or the types of one dialect by their ids.`

const formatsExample = `  varview formats
  varview formats godot4
  varview formats --json | jq -r '.dialects[].dialect'`

func (e *env) formatsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "formats [DIALECT]",
		Short:             "List the dialects and framings, or the types of a dialect",
		Long:              formatsLong,
		Example:           formatsExample,
		Args:              wants(0, 1, "at most one DIALECT"),
		ValidArgsFunction: completeDialects,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return e.formats(asJSON)
			}
			return e.types(args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

// formats lists all dialects and framings.
func (e *env) formats(asJSON bool) error {
	dialects, framings := decoder.Dialects(), decoder.Framings()
	if asJSON {
		return json.NewEncoder(e.stdout).Encode(struct {
			Dialects []decoder.DialectInfo `json:"dialects"`
			Framings []decoder.FramingInfo `json:"framings"`
		}{dialects, framings})
	}
	out := bufio.NewWriter(e.stdout)
	fmt.Fprintf(out, "%-17s  %-6s  %5s  %s\n", "DIALECT", "FORMAT", "TYPES", "WRITTEN BY")
	for _, d := range dialects {
		fmt.Fprintf(out, "%-17s  %-6s  %5d  %s\n", d.Name, d.Format, len(d.Types), d.About)
	}
	fmt.Fprintf(out, "\n%-17s  %s\n", "FRAMING", "HOLDS")
	for _, f := range framings {
		fmt.Fprintf(out, "%-17s  %s\n", f.Name, f.About)
	}
	return out.Flush()
}

// types lists the types of one dialect.
func (e *env) types(name string, asJSON bool) error {
	o := decoder.Options{Dialect: name}
	if err := o.Check(); err != nil {
		return err
	}
	for _, d := range decoder.Dialects() {
		if d.Name != name {
			continue
		}
		if asJSON {
			return json.NewEncoder(e.stdout).Encode(d)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s\n\n  ID  TYPE\n", d.Title, d.About)
		for id, t := range d.Types {
			fmt.Fprintf(&b, "%4d  %s\n", id, t)
		}
		_, err := e.stdout.WriteString(b.String())
		return err
	}
	return nil
}
