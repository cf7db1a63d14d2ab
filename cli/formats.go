package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/wrap"
)

const formatsLong = `List the dialects and framings that varview knows, as --as and --framing take
them, the wrappers that it opens, and the descriptions that come with it, which
are used for files that begin like theirs; or the types of one dialect by their
ids. In JSON, an id without a meaning has the type "".`

const formatsExample = `  varview formats
  varview formats godot4
  varview formats elephant-1.5.1
  varview formats --json | jq -r '.dialects[].dialect'`

func (e commands) formatsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "formats [DIALECT]",
		Short:             "List dialects, framings and wrappers, or the types of a dialect",
		Long:              formatsLong,
		Example:           formatsExample,
		Args:              flags.Wants(0, 1, "at most one DIALECT"),
		ValidArgsFunction: flags.CompleteDialects,
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

// A wrapperInfo describes a wrapper for people.
type wrapperInfo struct {
	Name  string `json:"wrapper"`
	About string `json:"about"`
}

func wrapperInfos() (infos []wrapperInfo) {
	for _, k := range wrap.Kinds() {
		infos = append(infos, wrapperInfo{k.String(), k.Meaning()})
	}
	return infos
}

// formats lists all dialects, framings and wrappers.
func (e commands) formats(asJSON bool) error {
	dialects, framings := decoder.Dialects(), decoder.Framings()
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Dialects []*format.Dialect     `json:"dialects"`
			Framings []decoder.FramingInfo `json:"framings"`
			Wrappers []wrapperInfo         `json:"wrappers"`
			Known    []knownInfo           `json:"descriptions"`
		}{dialects, framings, wrapperInfos(), knownInfos()})
	}
	out := bufio.NewWriter(e.Stdout)
	fmt.Fprintf(out, "%-17s  %-12s  %5s  %s\n", "DIALECT", "FORMAT", "TYPES", "WRITTEN BY")
	for _, d := range dialects {
		fmt.Fprintf(out, "%-17s  %-12s  %5d  %s\n", d.Name, d.Format, countTypes(d.Types), d.About)
	}
	fmt.Fprintf(out, "\n%-17s  %s\n", "FRAMING", "HOLDS")
	for _, f := range framings {
		fmt.Fprintf(out, "%-17s  %s\n", f.Name, f.About)
	}
	fmt.Fprintf(out, "\n%-17s  %s\n", "WRAPPER", "IS")
	for _, w := range wrapperInfos() {
		fmt.Fprintf(out, "%-17s  %s\n", w.Name, w.About)
	}
	fmt.Fprintf(out, "\n%-17s  %s\n", "DESCRIPTION", "IS")
	for _, k := range knownInfos() {
		fmt.Fprintf(out, "%-17s  %s\n", k.Name, k.About)
	}
	return out.Flush()
}

// A knownInfo is a description that comes with the program.
type knownInfo struct {
	Name  string `json:"description"`
	About string `json:"about"`
}

func knownInfos() (infos []knownInfo) {
	names, titles := decoder.KnownDescriptions()
	for i := range names {
		infos = append(infos, knownInfo{names[i], titles[i]})
	}
	return infos
}

// countTypes returns the number of ids that have a type.
func countTypes(types []string) (n int) {
	for _, t := range types {
		if t != "" {
			n++
		}
	}
	return n
}

// types lists the types of one dialect.
func (e commands) types(name string, asJSON bool) error {
	o := decoder.Options{Dialect: name}
	if err := o.Check(); err != nil {
		return err
	}
	for _, d := range decoder.Dialects() {
		if d.Name != name {
			continue
		}
		if asJSON {
			return json.NewEncoder(e.Stdout).Encode(d)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s\n\n  ID  TYPE\n", d.Title, d.About)
		for id, t := range d.Types {
			if t != "" {
				fmt.Fprintf(&b, "%4d  %s\n", id, t)
			}
		}
		_, err := e.Stdout.WriteString(b.String())
		return err
	}
	return nil
}
