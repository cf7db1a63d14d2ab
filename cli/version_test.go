package cli

import (
	"runtime/debug"
	"testing"
)

// TestDescribeBuild: what was given to the build comes before what Go has noted.
func TestDescribeBuild(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	commit, clean, modified := setting("vcs.revision", revision), setting("vcs.modified", "false"), setting("vcs.modified", "true")
	for _, c := range []struct {
		about, release, module string
		settings               []debug.BuildSetting
		want                   string
	}{
		{"a release", "1.2.3", "(devel)", []debug.BuildSetting{commit, clean}, "1.2.3 (commit 0123456789ab, go1.26.8)"},
		{"a release with edits", "1.2.3", "v1.2.2", []debug.BuildSetting{commit, modified}, "1.2.3 (commit 0123456789ab, modified, go1.26.8)"},
		{"a tag", "", "v1.2.3", []debug.BuildSetting{commit, clean}, "1.2.3 (commit 0123456789ab, go1.26.8)"},
		{"installed by module and version", "", "v1.2.3", nil, "1.2.3 (go1.26.8)"},
		{"a clone without tags", "", "v0.0.0-20260102030405-0123456789ab+dirty", []debug.BuildSetting{commit, modified},
			"0.0.0-20260102030405-0123456789ab+dirty (commit 0123456789ab, modified, go1.26.8)"},
		{"no version, but a commit", "", "(devel)", []debug.BuildSetting{commit, clean}, "devel (commit 0123456789ab, go1.26.8)"},
		{"no repository", "", "(devel)", nil, "devel (go1.26.8)"},
		{"a test", "", "", nil, "devel (go1.26.8)"},
		{"a short revision", "", "", []debug.BuildSetting{setting("vcs.revision", "42")}, "devel (commit 42, go1.26.8)"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: c.module}, Settings: c.settings}
		if got := describeBuild(c.release, info); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
	}
}
