package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// A script completes words in a shell. It differs from cobra's script because paths contain brackets and
// quotes: they are typed in quotes or with backslashes, which cobra passes on or compares as part of the
// text.
type script struct {
	write func(root *cobra.Command, w io.Writer, described bool) error
	other []string // pairs of cobra's text and its replacement
}

var scripts = map[string]script{
	"bash": {
		func(root *cobra.Command, w io.Writer, described bool) error {
			return root.GenBashCompletionV2(w, described)
		},
		[]string{
			"    # Use eval to handle", closesQuote("cur", ":0:1") + "    # Use eval to handle",
			"    local longest=0\n", `    # What is typed, without its quotes
    local typed=${cur//\\/} quote=""
    case ${cur} in
    \'*\' | \"*\") typed=${cur:1:${#cur}-2} ;;
    \'* | \"*) typed=${cur:1} quote=${cur:0:1} ;;
    esac

    local longest=0
`,
			`[[ $comp == "$cur"* ]] || continue`, `[[ ${compline%%$tab*} == "$typed"* ]] || continue`,
			`        COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]%%$tab*}")
        __varview_debug`, `        COMPREPLY[0]=${COMPREPLY[0]%%$tab*}
        if [[ -z $quote ]]; then
            COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]}")
        elif (((directive & shellCompDirectiveNoSpace) != 0)); then
            COMPREPLY+=("${COMPREPLY[0]}.") # so that bash does not close the quote
        fi
        __varview_debug`,
		},
	},
	"zsh": {
		func(root *cobra.Command, w io.Writer, described bool) error {
			if described {
				return root.GenZshCompletion(w)
			}
			return root.GenZshCompletionNoDesc(w)
		},
		[]string{
			"    # Use eval to handle", closesQuote("lastParam", "[1]") + "    # Use eval to handle",
			"$(eval ${requestComp}", "$(eval noglob ${requestComp}",
		},
	},
	"fish": {
		func(root *cobra.Command, w io.Writer, described bool) error {
			return root.GenFishCompletion(w, described)
		},
		[]string{
			"function __varview_perform_completion\n", `# what is typed of the last argument, without its quotes
function __varview_typed
    commandline -ct | string replace -r '^[\'"]' '' | string replace -ra '\\\\(.)' '$1'
end

function __varview_perform_completion
`,
			"(string escape -- (commandline -ct))", "(string escape -- (__varview_typed))",
			"(commandline -t | string escape --style=regex)", "(__varview_typed | string escape --style=regex)",
		},
	},
}

// closesQuote returns the lines that close a quote with which a variable begins. first extracts its first
// character.
func closesQuote(variable, first string) string {
	return fmt.Sprintf(`    # Close a quote that is still open
    case ${%[1]s} in
    \'*\' | \"*\") ;;
    \'* | \"*) requestComp+=${%[1]s%[2]s} ;;
    esac

`, variable, first)
}

// WriteCompletion writes the completion script for a shell: "bash", "zsh" or "fish".
func WriteCompletion(root *cobra.Command, shell string, w io.Writer, described bool) error {
	var cobras bytes.Buffer
	s := scripts[shell]
	if err := s.write(root, &cobras, described); err != nil {
		return err
	}
	_, err := strings.NewReplacer(s.other...).WriteString(w, cobras.String())
	return err
}

// replaceScripts makes "completion" print the scripts of WriteCompletion, and refuse other shells.
func replaceScripts(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() } // without it, any shell is helped
	for _, cmd := range completion.Commands() {
		if _, ok := scripts[cmd.Name()]; ok {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				bare, err := cmd.Flags().GetBool("no-descriptions")
				if err != nil {
					return err
				}
				return WriteCompletion(root, cmd.Name(), cmd.OutOrStdout(), !bare)
			}
		}
	}
}
