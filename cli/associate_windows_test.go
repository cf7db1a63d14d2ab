package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// What associating has registered is gone after dissociating, and what others have registered stays.
func TestAssociate(t *testing.T) {
	const other = `Software\Classes\.sav\OpenWithProgids`
	if err := setValue(other, "other.program", ""); err != nil {
		t.Fatal(err)
	}
	defer registry.DeleteKey(registry.CURRENT_USER, `Software\Classes\.sav`)
	defer registry.DeleteKey(registry.CURRENT_USER, other)
	program, _ := os.Executable()
	value := func(path, name string) string {
		k, err := registry.OpenKey(registry.CURRENT_USER, path, registry.QUERY_VALUE)
		if err != nil {
			return err.Error()
		}
		defer k.Close()
		s, _, err := k.GetStringValue(name)
		if err != nil {
			return err.Error()
		}
		return "=" + s
	}
	for range 2 { // again is no harm
		var out bytes.Buffer
		if err := associate(&out); err != nil || !strings.Contains(out.String(), "--dissociate") {
			t.Fatal(err, out.String())
		}
		if got := value(classes+progID+`\shell\open\command`, ""); got != `="`+program+`" "%1"` {
			t.Error(got)
		}
		for _, x := range extensions {
			if got := value(classes+x+`\OpenWithProgids`, progID); got != "=" {
				t.Errorf("%s: %s", x, got)
			}
		}
	}
	for range 2 {
		var out bytes.Buffer
		if err := dissociate(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := registry.OpenKey(registry.CURRENT_USER, classes+progID, registry.QUERY_VALUE); !errors.Is(err, registry.ErrNotExist) {
			t.Errorf("its type is left: %v", err)
		}
		if _, err := registry.OpenKey(registry.CURRENT_USER, classes+".savegame", registry.QUERY_VALUE); !errors.Is(err, registry.ErrNotExist) {
			t.Errorf("an empty key is left: %v", err)
		}
		if got := value(other, "other.program"); got != "=" {
			t.Errorf("another program's entry: %s", got)
		}
	}
}
