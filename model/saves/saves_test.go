package saves

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// put writes files below a folder.
func put(t *testing.T, home string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The files of games are found where each system has them, with the name of the game.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		goos  string
		env   map[string]string
		files []string
		want  string
	}{
		{"linux", nil, []string{
			".local/share/godot/app_userdata/Dungeon/saves/1.dat", ".local/share/godot/app_userdata/Dungeon/logs/godot.log",
			".local/share/godot/app_userdata/Dungeon/shader_cache/a/b", ".local/share/Own Folder/slot.save",
			".local/share/Own Folder/logs/godot.log", ".local/share/Other/file", ".var/app/org.game.X/data/godot/app_userdata/Flat/s",
			".config/GmGame/save.sav", ".config/GmGame/deep/er.sav", ".config/GmGame/Saves/slot.ini", ".var/app/org.g/config/GmFlat/save.json",
			".steam/steam/steamapps/compatdata/1/pfx/drive_c/users/steamuser/AppData/Roaming/Godot/app_userdata/Proton/s.dat",
			".steam/steam/steamapps/compatdata/1/pfx/drive_c/users/steamuser/AppData/Local/GmProton/s.dat", ".steam/steam/userdata/7/480/remote/cloud.sav",
		}, "1.dat of Dungeon|cloud.sav of Steam 480?|s of Flat|s.dat of GmProton?|s.dat of Proton|save.json of GmFlat?|save.sav of GmGame?|slot.ini of GmGame?|slot.save of Own Folder"},
		{"linux", map[string]string{"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "relative"}, []string{
			"data/godot/app_userdata/A/s", ".local/share/godot/app_userdata/B/s"}, "s of A"},
		{"darwin", nil, []string{"Library/Application Support/Godot/app_userdata/A/s", "Library/Application Support/com.studio.game/save", "Library/Application Support/com.studio.game/save files/x",
			"Library/Application Support/Other/x", "Library/Application Support/Steam/userdata/7/480/remote/cloud.sav"}, "cloud.sav of Steam 480?|s of A|save of game?|x of game?"},
		{"windows", map[string]string{"ProgramFiles(x86)": "data"}, []string{"AppData/Roaming/Godot/app_userdata/A/s", "AppData/Local/Game/save.dat",
			"data/Steam/userdata/7/480/remote/deep/cloud.sav", "data/Steam/userdata/7/480/remotecache.vdf"}, "cloud.sav of Steam 480?|s of A|save.dat of Game?"},
	} {
		home := t.TempDir()
		put(t, home, c.files...)
		getenv := func(name string) string {
			if path := c.env[name]; path == "data" {
				return filepath.Join(home, path)
			}
			return c.env[name]
		}
		var got []string
		Find(t.Context(), Places(c.goos, home, getenv), func(f File) {
			s := filepath.Base(f.Path) + " of " + f.Of
			if f.Saves {
				s += "?"
			}
			got = append(got, s)
		})
		slices.Sort(got)
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: %s\nwant %s", c.goos, s, c.want)
		}
	}
}

// A folder is searched some levels deep, and hidden files are left out.
func TestInFolder(t *testing.T) {
	folder := t.TempDir()
	put(t, folder, "a.dat", "in/b.dat", "in/side/c.dat", ".hidden", ".git/x", "run.log")
	var got []string
	InFolder(t.Context(), folder, 1, func(f File) bool {
		got = append(got, filepath.Base(f.Path))
		return true
	})
	if fmt.Sprint(got) != "[a.dat b.dat]" {
		t.Error(got)
	}
	put(t, folder, strings.Split(strings.Repeat("many/x", 1), ",")...)
	for i := range MaxIn + 10 {
		put(t, folder, fmt.Sprint("many/", i))
	}
	n := 0
	InFolder(t.Context(), folder, 1, func(File) bool { n++; return true })
	if n != MaxIn {
		t.Errorf("%d files, want %d", n, MaxIn)
	}
}

func TestLookInto(t *testing.T) {
	data := filepath.Join("..", "..", "testdata")
	for name, want := range map[string]string{
		"godot4/save-player-stats.bin":       `Godot 4 true false  [[0]  (18)   version  3   name  "Aria"]`,
		"damaged/truncated-string.bin":       `Godot 4 true false 1 problem`,
		"captures/enet-peer-range.pcap":      `messages of a capture true false  [header  87 messages  (87)`,
		"wrapped/godot4-gdec-pass-small.bin": `encrypted true true  []`,
	} {
		l := LookInto(t.Context(), filepath.Join(data, filepath.FromSlash(name)), 3, 80)
		got := fmt.Sprint(l.Title, " ", l.IsSave, " ", l.IsLocked, " ", l.Problems, " ", l.Rows)
		if l.IsLocked {
			got = strings.Replace(got, l.Title, "encrypted", 1)
		}
		if !strings.HasPrefix(got, want) || l.Err != nil {
			t.Errorf("%s: %s, %v\nwant %s", name, got, l.Err, want)
		}
	}
	if l := LookInto(t.Context(), filepath.Join(t.TempDir(), "none"), 3, 80); l.Err == nil {
		t.Error("a missing file is no error")
	}
}

// The problems of a file are counted as once it is open: a cause counts, and not what follows from it.
func TestLookCountsCauses(t *testing.T) {
	defer func(was time.Duration) { countTime = was }(countTime)
	countTime = time.Minute
	cut, err := os.ReadFile(filepath.Join("..", "..", "testdata", "godot4", "save-inventory.bin"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, content := range map[string][]byte{
		"cut.dat":   cut[:1500],
		"git.json":  []byte("{\n\"a\": 1,\n<<<<<<< ours\n\"b\": 3,\n=======\n\"b\": 4,\n>>>>>>> theirs\n\"z\": [1, 2]\n}\n"),
		"zeros.sav": make([]byte, 2000),
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if l := LookInto(t.Context(), path, 3, 80); l.Problems != "1 problem" || l.Err != nil {
			t.Errorf("%s: %q, %v", name, l.Problems, l.Err)
		}
	}
}

// Files of a form that other programs write too are saves where their names say so.
func TestCommon(t *testing.T) {
	folder := t.TempDir()
	for name, want := range map[string]bool{"settings.ini": false, "save1.ini": true, "config.json": false, "Slot2.json": true, "x.map": true} {
		text := "[stats]\r\nhp=\"20.000000\"\r\n"
		if filepath.Ext(name) == ".json" {
			text = `{"hp":20}`
		} else if filepath.Ext(name) == ".map" {
			b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "gamemaker", "map-of-written.txt"))
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if l := LookInto(t.Context(), file, 3, 80); l.IsSure != want || !l.IsSave {
			t.Errorf("%s: %+v", name, l)
		}
	}
}
