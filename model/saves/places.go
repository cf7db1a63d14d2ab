// Package saves finds the saves of games on this computer: where engines put them, and what the files
// there contain.
package saves

import (
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder"
	"varview/decoder/engine/format"
)

// A Place is where files of games may be.
type Place struct {
	Pattern string // of folders, for filepath.Glob
	Depth   int    // levels of folders below it that are searched
	Saves   bool   // only saves are listed: the place has files of many programs
	Inside  int    // number of folders from what the pattern matches down to the folder with the game's name
	Prefix  string // what comes before the name of that folder
	Up      int    // number of folders from what the pattern matches up to the game's folder
}

// Places lists where games keep their files on a system, named as in runtime.GOOS. getenv looks up the
// environment; home is the user's folder.
func Places(goos, home string, getenv func(string) string) []Place {
	dir := func(variable string, otherwise ...string) string {
		if path := getenv(variable); filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(append([]string{home}, otherwise...)...)
	}
	switch goos {
	case "windows":
		places := placesIn(dir("APPDATA", "AppData", "Roaming"), filepath.Join(dir("LOCALAPPDATA", "AppData", "Local"), "*"), true)
		return append(places, cloud(filepath.Join(dir("ProgramFiles(x86)"), "Steam")))
	case "darwin":
		support := filepath.Join(home, "Library", "Application Support")
		return append(placesIn(support, filepath.Join(support, "com.*.*"), true), cloud(filepath.Join(support, "Steam")))
	}
	data := dir("XDG_DATA_HOME", ".local", "share")
	places := placesIn(data, filepath.Join(dir("XDG_CONFIG_HOME", ".config"), "*"), false)
	places = append(places, placesIn(filepath.Join(home, ".var", "app", "*", "data"), filepath.Join(home, ".var", "app", "*", "config", "*"), false)...) // Flatpak
	for _, steam := range []string{filepath.Join(data, "Steam"), filepath.Join(home, ".steam", "steam"),
		filepath.Join(home, ".var", "app", "com.valvesoftware.Steam", ".local", "share", "Steam")} {
		user := filepath.Join(steam, "steamapps", "compatdata", "*", "pfx", "drive_c", "users", "steamuser", "AppData")
		places = append(places, placesIn(filepath.Join(user, "Roaming"), filepath.Join(user, "Local", "*"), true)...)
		places = append(places, cloud(steam))
	}
	return places
}

// cloud returns where Steam keeps the files of its cloud: for each user and each game, which is a number.
func cloud(steam string) Place {
	return Place{Pattern: filepath.Join(steam, "userdata", "*", "*", "remote"), Depth: 3, Saves: true, Inside: 1, Prefix: "Steam "}
}

// placesIn returns the places below a user's data folder. loose is the pattern for games whose folders
// are beside those of other programs, or ""; capital says that engines' folder names are capitalized.
func placesIn(data, loose string, capital bool) (places []Place) {
	for _, h := range decoder.Homes() {
		if h.Data != "" {
			places = append(places, Place{Pattern: filepath.Join(data, engineFolder(h, capital), "*"), Depth: 3})
		}
		if h.Log != "" {
			log := filepath.FromSlash(h.Log)
			up := 1 + strings.Count(h.Log, "/")
			places = append(places, Place{Pattern: filepath.Join(data, "*", log), Depth: 3, Up: up}, Place{Pattern: filepath.Join(data, "*", "*", log), Depth: 3, Up: up})
		}
		if h.Loose && loose != "" {
			places = append(places, Place{Pattern: loose, Saves: true}, Place{Pattern: filepath.Join(loose, "[Ss]ave*"), Saves: true, Inside: 1})
		}
	}
	return places
}

// engineFolder returns where an engine keeps the folders of games, below the data folder.
func engineFolder(h format.Home, capital bool) string {
	name := h.Data
	if capital {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return filepath.FromSlash(name)
}

// folders returns the folders of a place that exist.
func (p Place) folders() []string {
	found, _ := filepath.Glob(p.Pattern)
	for i, path := range found {
		for range p.Up {
			path = filepath.Dir(path)
		}
		found[i] = path
	}
	slices.Sort(found)
	return slices.Compact(found)
}
