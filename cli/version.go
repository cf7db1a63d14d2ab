package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
)

// release is the version with which a release is built: -ldflags "-X varview/cli.release=1.2.3".
var release string

func (e commands) versionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Args:  flags.Wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asJSON {
				_, err := fmt.Fprintln(e.Stdout, "varview", version())
				return err
			}
			name, rest, _ := strings.Cut(version(), " ")
			return json.NewEncoder(e.Stdout).Encode(struct {
				Version string `json:"version"`
				Build   string `json:"build"`
				System  string `json:"system"`
			}{name, strings.Trim(rest, "()"), runtime.GOOS + "/" + runtime.GOARCH})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with the system that it was built for")
	return cmd
}

// version describes the build of this program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	return describeBuild(release, info)
}

// describeBuild returns the version of a build, with its commit, if that is known, and the version of Go.
// The version is release, or else that of the module.
func describeBuild(release string, info *debug.BuildInfo) string {
	name := release
	if name == "" {
		name = strings.TrimPrefix(info.Main.Version, "v")
	}
	if name == "" || name == "(devel)" {
		name = "devel"
	}
	var about []string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			about = append(about, "commit "+s.Value[:min(12, len(s.Value))])
		case s.Key == "vcs.modified" && s.Value == "true":
			about = append(about, "modified")
		}
	}
	return name + " (" + strings.Join(append(about, info.GoVersion), ", ") + ")"
}
