package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

const (
	classes = `Software\Classes\`
	progID  = "varview.save" // what Windows calls a type of files
)

// extensions are those of saves. Windows tells types by them alone, and other programs use most of them too: varview becomes
// one of the programs to open such files with, and the one for no file.
var extensions = []string{".sav", ".save", ".savegame", ".dat", ".bin"}

// associate registers varview for the current user as a program to open saves with.
func associate(out io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	values := [][3]string{
		{progID, "", "Saved game"},
		{progID + `\DefaultIcon`, "", program},
		{progID + `\shell\open\command`, "", `"` + program + `" "%1"`},
	}
	for _, x := range extensions {
		values = append(values, [3]string{x + `\OpenWithProgids`, progID, ""})
	}
	for _, v := range values {
		if err := setValue(classes+v[0], v[1], v[2]); err != nil {
			return fmt.Errorf("the registry cannot be written: %w", err)
		}
	}
	tellExplorer()
	_, err = fmt.Fprintf(out, "%s is among the programs to open %v with; \"varview config --dissociate\" undoes it\n", program, extensions)
	return err
}

func setValue(path, name, value string) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer k.Close()
	return k.SetStringValue(name, value)
}

// dissociate removes what associate has registered, and the keys that are empty without it.
func dissociate(out io.Writer) error {
	for _, x := range extensions {
		if k, err := registry.OpenKey(registry.CURRENT_USER, classes+x+`\OpenWithProgids`, registry.SET_VALUE); err == nil {
			err = k.DeleteValue(progID)
			k.Close()
			if err != nil && !errors.Is(err, registry.ErrNotExist) {
				return fmt.Errorf("the registry cannot be written: %w", err)
			}
		}
		removeIfEmpty(classes + x + `\OpenWithProgids`)
		removeIfEmpty(classes + x)
	}
	for _, path := range []string{`\shell\open\command`, `\shell\open`, `\shell`, `\DefaultIcon`, ""} {
		if err := registry.DeleteKey(registry.CURRENT_USER, classes+progID+path); err != nil && !errors.Is(err, registry.ErrNotExist) {
			return fmt.Errorf("the registry cannot be written: %w", err)
		}
	}
	tellExplorer()
	_, err := fmt.Fprintln(out, "varview is not among the programs to open saves with any more")
	return err
}

// removeIfEmpty removes a key that has neither values nor keys in it.
func removeIfEmpty(path string) {
	k, err := registry.OpenKey(registry.CURRENT_USER, path, registry.QUERY_VALUE|registry.ENUMERATE_SUB_KEYS)
	if err != nil {
		return
	}
	info, err := k.Stat()
	k.Close()
	if err == nil && info.SubKeyCount == 0 && info.ValueCount == 0 {
		registry.DeleteKey(registry.CURRENT_USER, path)
	}
}

// tellExplorer makes Explorer read the types of files again.
func tellExplorer() {
	const associationsChanged = 0x08000000 // SHCNE_ASSOCCHANGED
	if notify := windows.NewLazySystemDLL("shell32.dll").NewProc("SHChangeNotify"); notify.Find() == nil {
		notify.Call(associationsChanged, 0, 0, 0)
	}
}
