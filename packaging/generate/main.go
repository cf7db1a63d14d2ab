// Command generate writes the manual pages of varview and its completions for shells
// into a folder: generate FOLDER.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"varview/cli"
)

// manual is what the manual says beyond the help of the program, as Markdown.
//
//go:embed manual.md
var manual string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FOLDER")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes the pages into man, the completions into completions below folder.
func generate(folder string) error {
	man, completions := filepath.Join(folder, "man"), filepath.Join(folder, "completions")
	for _, dir := range []string{man, completions} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := completion(cli.Command(), completions); err != nil {
		return err
	}
	return pages(cli.Command(), man)
}

// pages writes a manual page for each command. SOURCE_DATE_EPOCH is their date.
func pages(root *cobra.Command, folder string) error {
	escape(root)
	root.Long += "\n\n" + manual
	for _, cmd := range root.Commands() {
		cmd.Long = cmp.Or(cmd.Long, cmd.Short) + "\n\n" + statusesOf(cmd.Name())
	}
	root.DisableAutoGenTag = true
	version, _, _ := strings.Cut(root.Version, " ")
	return doc.GenManTreeFromOpts(root, doc.GenManTreeOptions{
		Header:           &doc.GenManHeader{Source: "varview " + version, Manual: "varview"},
		Path:             folder,
		CommandSeparator: "-",
	})
}

// found says with what a command ends with status 1; the others never do.
var found = map[string]string{
	"check":   "errors were found, with **--strict** also warnings; with **--safe** what runs code, or cannot be known",
	"config":  "the configuration has mistakes",
	"delete":  noneOfMany,
	"diff":    "there are differences, with **--strict** also notes",
	"find":    "nothing was found",
	"get":     "nothing is at the path",
	"insert":  noneOfMany,
	"merge":   "there are conflicts that nothing decides",
	"packets": "there is no message",
	"recover": "some of the edits cannot be read",
	"repair":  "an error is left",
	"set":     noneOfMany,
	"table":   "nothing is at the path, or no row meets the condition",
}

// noneOfMany says with what an edit of many values ends with status 1.
const noneOfMany = "none of many files or values has what is edited"

// statusesOf returns the section about the exit statuses of a command.
func statusesOf(name string) string {
	section := "# EXIT STATUS\n\n**0**\n: all is fine\n"
	if found[name] != "" {
		section += "\n**1**\n: " + found[name] + "\n"
	}
	return section + "\n**2**\n: something could not be read or done\n\n**128 + N**\n: signal N has ended the program"
}

// escape makes Markdown of the help of a command and of those below it: a table stays as it is.
func escape(cmd *cobra.Command) {
	paragraphs := strings.Split(cmd.Long, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, "  ") {
			paragraphs[i] = "    " + strings.ReplaceAll(p, "\n", "\n    ")
		} else {
			paragraphs[i] = strings.NewReplacer("*", `\*`, "_", `\_`, "[", `\[`, "<", `\<`).Replace(p)
		}
	}
	cmd.Long = strings.Join(paragraphs, "\n\n")
	for _, c := range cmd.Commands() {
		escape(c)
	}
}

// completion writes a file for each shell, named as the shell looks for it.
func completion(root *cobra.Command, folder string) error {
	const described = true
	for name, shell := range map[string]string{"varview": "bash", "_varview": "zsh", "varview.fish": "fish"} {
		var script bytes.Buffer
		err := cli.WriteCompletion(root, shell, &script, described)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), script.Bytes(), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return root.GenPowerShellCompletionFileWithDesc(filepath.Join(folder, "varview.ps1"))
}
