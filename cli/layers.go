package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
	"varview/decoder"
	"varview/internal/text"
	"varview/model"
)

const layersLong = `Print the recipe by which a file is opened: the steps in which the game packs
its saves, from the outside in. A recipe is a file NAME.layers beside the save
or the configuration. Some are known: Slay the Spire, RPG Maker MV and MZ,
Balatro.

--try looks for one: for steps after which the file can be read. It tries those
that need no key, and keys for xor and constants for add that the bytes suggest.`

func (e commands) layersCommand() *cobra.Command {
	var try, asJSON bool
	cmd := &cobra.Command{
		Use:               "layers FILE",
		Short:             "Print how a file is packed, or find out",
		Long:              layersLong,
		Example:           "  varview layers savegame.dat\n  varview layers savegame.dat --try > mygame.layers",
		Args:              flags.Wants(1, 1, "a FILE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.layers(cmd.Context(), args[0], try, asJSON)
		},
	}
	cmd.Flags().BoolVar(&try, "try", false, "look for steps after which the file can be read")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per recipe")
	return cmd
}

// layers prints the recipe of a file. With try it prints the recipes with which the file can be read, all
// but the first as comments.
func (e commands) layers(ctx context.Context, name string, try, asJSON bool) (err error) {
	doc, err := e.OpenDocument(ctx, name, decoder.Quick, model.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer doc.Close()
	all := []*decoder.Recipe{doc.Recipe}
	if try {
		if all, err = decoder.TryLayers(ctx, doc.Buffers[0].Tree().Source, name); err != nil {
			return err
		}
	}
	switch {
	case len(all) == 0:
		return errors.New(text.Clean(name) + ": no steps were found that make it readable")
	case all[0] == nil:
		return errors.New(text.Clean(name) + ": no recipe fits this file; --try looks for one")
	}
	write := json.NewEncoder(e.Stdout)
	for i, r := range all {
		if asJSON {
			if err := write.Encode(map[string]any{"file": name, "steps": strings.Split(r.Chain(), " → "), "recipe": r.Text()}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(e.Stdout, "%s%s\n", map[bool]string{true: "# ", false: "# or: "}[i == 0], r.Chain())
	}
	if !asJSON {
		_, err = io.WriteString(e.Stdout, all[0].Text())
	}
	return err
}
