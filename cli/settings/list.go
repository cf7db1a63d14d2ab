package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"varview/decoder"
	"varview/decoder/value/spelling"
	"varview/internal/config"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/action"
)

// A setting can be set in the configuration.
type setting struct {
	name  string
	usual any // the default, which also determines the type of its values
	help  string
	check func(any) error // nil accepts all values of the type
}

// list lists all settings except the keys.
func list() []setting {
	return []setting{
		{"theme", "", "colours: " + strings.Join(themes.Names(), ", ") + " or a theme file; \"\" follows the terminal", checkTheme},
		{"marks", "auto", "marks for the kinds of bytes: on, off, or auto: if colours show the kinds, only those of the selected value", oneOf("auto", "on", "off")},
		{"bytes-per-row", int64(0), "bytes in a row of the bytes: 8, 16 or 32; 0 for what fits", oneOf[int64](0, 8, 16, 32)},
		{"backup", true, "keep the file as FILE~ when it is saved", nil},
		{"state", true, "remember what was typed, marks, recent files and sizes of panes", nil},
		{"copy-limit", "64M", "copy a file of up to this size while it is open, so that other programs cannot change it; \"0\" for never", checkLimit},
		{"max-unpacked", "1G", "the most bytes that a wrapper may hold", checkSize},
		{"dialects", []string{}, "dialects to prefer if several read a file equally well, best first", checkDialects},
		{"layout.tree", int64(0), "the tree's share of the window in percent; 0 for what suits the window", checkShare},
		{"layout.alone", false, "start with one pane; tab shows the other", nil},
	}
}

// set applies an entry of the configuration.
func (s *Settings) set(e config.Entry) error {
	from := fmt.Sprintf("line %d", e.Line)
	if name, ok := strings.CutPrefix(e.Key, "keys."); ok {
		return s.setKeys(action.Action(name), e.Value, from)
	}
	i := slices.IndexFunc(list(), func(x setting) bool { return x.name == e.Key })
	if i < 0 {
		return unknown("setting", e.Key, slices.Sorted(maps.Keys(s.values)))
	}
	x := list()[i]
	if err := isLike(e.Value, x.usual); err != nil {
		return err
	}
	if x.check != nil {
		if err := x.check(e.Value); err != nil {
			return err
		}
	}
	s.values[x.name] = value{e.Value, from}
	return nil
}

// setKeys assigns keys to an action. A single key needs no list.
func (s *Settings) setKeys(name action.Action, is any, from string) error {
	if one, ok := is.(string); ok {
		is = []string{one}
	}
	if err := isLike(is, []string{}); err != nil {
		return err
	}
	var names []string
	chosen := map[action.Action][]string{}
	for _, e := range action.Default() {
		names = append(names, string(e.Action))
		if v, ok := s.values[keyName(e.Action)]; ok {
			chosen[e.Action] = v.is.([]string)
		}
	}
	if !slices.Contains(names, string(name)) {
		return unknown("action", string(name), names)
	}
	keys, err := action.ParseKeys(is.([]string))
	if err != nil {
		return err
	}
	chosen[name] = keys
	table, err := action.Default().WithKeys(chosen)
	if err != nil {
		return err
	}
	s.Actions = table
	s.values[keyName(name)] = value{keys, from}
	return nil
}

func keyName(a action.Action) string { return "keys." + string(a) }

// isLike returns an error if a value is of another type than the default.
func isLike(is, usual any) error {
	if fmt.Sprintf("%T", is) == fmt.Sprintf("%T", usual) {
		return nil
	}
	switch usual.(type) {
	case string:
		return errors.New("the value must be a text in quotes")
	case int64:
		return errors.New("the value must be a whole number")
	case bool:
		return errors.New("the value must be true or false")
	}
	return errors.New("the value must be a list of texts, as in [\"a\", \"b\"]")
}

// unknown returns the error for a name that does not exist, with the one that was probably meant.
func unknown(what, name string, known []string) error {
	if meant := spelling.Nearest(name, known); meant != "" {
		return fmt.Errorf("there is no such %s; did you mean %s?", what, meant)
	}
	return fmt.Errorf("there is no such %s; \"varview config\" lists all", what)
}

// oneOf returns a check that accepts some values.
func oneOf[T comparable](all ...T) func(any) error {
	return func(is any) error {
		if slices.Contains(all, is.(T)) {
			return nil
		}
		var names []string
		for _, v := range all {
			names = append(names, quoted(v))
		}
		return fmt.Errorf("%s is not one of %s", quoted(is), strings.Join(names, ", "))
	}
}

func checkTheme(is any) error {
	if is == "" {
		return nil
	}
	_, err := themes.Load(is.(string))
	return err
}

func checkSize(is any) error {
	_, err := bytesize.Parse(is.(string))
	return err
}

func checkLimit(is any) error {
	if is == "0" {
		return nil
	}
	return checkSize(is)
}

func checkShare(is any) error {
	if n := is.(int64); n != 0 && (n < 10 || n > 90) {
		return errors.New("it must be 10 to 90, or 0")
	}
	return nil
}

func checkDialects(is any) error {
	var known []string
	for _, d := range decoder.Dialects() {
		known = append(known, d.Name)
	}
	for _, name := range is.([]string) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no dialect %q; \"varview formats\" lists them", name)
		}
	}
	return nil
}
