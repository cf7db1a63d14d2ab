package cli

import (
	"runtime"
	"runtime/debug"
)

// version is the version of the module that the program was built from. A build
// that has none is called by its commit, or "devel" where that is not known
// either.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel (" + runtime.Version() + ")"
	}
	name := info.Main.Version
	if name == "" || name == "(devel)" {
		name = "devel"
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				name += "-" + s.Value[:12]
			}
		}
	}
	return name + " (" + info.GoVersion + ")"
}
