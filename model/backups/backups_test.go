package backups

import "testing"

func TestIsBackup(t *testing.T) {
	for _, c := range []struct {
		name  string
		yes   []string
		not   []string
		stock []string // in a folder of backups
		other []string // there
	}{
		{"save.dat",
			[]string{"save.dat~", "save.dat.bak", "save.dat.1", "save.bak", "save_old.dat", "save-backup2.dat", "save.dat.bak.3", "save.1.dat", "save.dat.~1~", "save.dat.TMP"},
			[]string{"save.dat", "save1.dat", "save_2.dat", "saves.dat", "save.json", "save.dat.damaged", "other.bak", "save_golden.dat"},
			[]string{"save.dat", "save_2024-01-01.dat", "save2.dat", "save.dat.3"},
			[]string{"savegame.dat", "other.dat"}},
		{"slot1", []string{"slot1~", "slot1.old", "slot1.2"}, []string{"slot12", "slot1_2", "slot2"}, []string{"slot1", "slot1-a"}, []string{"slot12", "slot2"}},
		{".save", []string{".save.bak"}, []string{"x.save"}, nil, nil},
	} {
		for want, names := range map[bool][]string{true: c.yes, false: c.not} {
			for _, n := range names {
				if isBackup(c.name, n) != want {
					t.Errorf("isBackup(%q, %q) = %v", c.name, n, !want)
				}
			}
		}
		for want, names := range map[bool][]string{true: c.stock, false: c.other} {
			for _, n := range names {
				if isOf(c.name, n) != want {
					t.Errorf("isOf(%q, %q) = %v", c.name, n, !want)
				}
			}
		}
	}
}
