package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version that a release is built with: -ldflags "-X varview/cli.release=1.2.3".
var release string

// version describes the build of this program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	return describeBuild(release, info)
}

// describeBuild returns the version of a build, with its commit, if that is known, and the
// version of Go. The version is release, or else the one of the module.
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
