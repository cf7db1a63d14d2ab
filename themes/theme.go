// Package themes contains colour themes as data: which role is drawn in which
// colour. It knows nothing of terminals.
//
// A theme file is JSON. An entry is a colour or an object; missing roles are taken from the base:
//
//	{
//	  "name": "mine",
//	  "base": "light",
//	  "roles": {
//	    "text": "#8e472a",
//	    "selection": "#e0e6f4",
//	    "error": { "foreground": "#c00716", "bold": true }
//	  }
//	}
//
// An object has foreground, background, bold, dim, underline and reverse. A colour alone is the
// background of the roles background, selection, unfocused, cursor and match, and the foreground of every
// other role.
package themes

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/engine/source"
)

//go:embed *.json
var builtIn embed.FS

// Names lists the themes that Load knows by name.
func Names() []string {
	return []string{"dark", "light", "high-contrast", "catppuccin-mocha", "gruvbox-light"}
}

// A Theme gives each role its style.
type Theme struct {
	Name   string
	styles map[Role]Style
}

// Style returns how role is drawn; a role that does not exist is drawn plain.
func (t Theme) Style(role Role) Style {
	if as, ok := drawnAs[role]; ok {
		role = as
	}
	return t.styles[role]
}

// drawnAs maps field kinds without a role of their own.
var drawnAs = map[Role]Role{"offset": Ref, "reserved": Padding}

// IsDark reports whether the theme is for dark terminals.
func (t Theme) IsDark() bool {
	r, g, b := 0, 0, 0
	fmt.Sscanf(string(t.Style(Background).Background), "#%02x%02x%02x", &r, &g, &b)
	return 2*r+5*g+b < 4*0xff
}

// maxSize is the largest size in bytes of a theme file.
const maxSize = 1 << 20

// Load returns a built-in theme by its name, or reads the theme file at a path. Errors name the file, and
// the role that is wrong.
func Load(name string) (Theme, error) {
	if slices.Contains(Names(), name) {
		return loadBuiltIn(name)
	}
	data, err := source.ReadRegular(name, maxSize)
	if errors.Is(err, os.ErrNotExist) && filepath.Ext(name) == "" {
		return Theme{}, fmt.Errorf("theme %q: neither %s nor a file", name, strings.Join(Names(), ", "))
	}
	if err != nil {
		return Theme{}, fmt.Errorf("theme %s: %w", name, err)
	}
	theme, err := parse(data)
	if err != nil {
		return Theme{}, fmt.Errorf("theme %s: %w", name, err)
	}
	if theme.Name == "" {
		theme.Name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	return theme, nil
}

func loadBuiltIn(name string) (Theme, error) {
	data, err := builtIn.ReadFile(name + ".json")
	if err != nil {
		return Theme{}, err
	}
	return overlay(nil, data)
}

// parse parses a user's theme file over its base.
func parse(data []byte) (Theme, error) {
	var header struct{ Base *string }
	if err := json.Unmarshal(data, &header); err != nil {
		return Theme{}, locate(data, err)
	}
	base := "dark"
	if header.Base != nil {
		base = *header.Base
	}
	if !slices.Contains(Names(), base) {
		return Theme{}, fmt.Errorf("base %q is not one of %s", base, strings.Join(Names(), ", "))
	}
	theme, err := loadBuiltIn(base)
	if err != nil {
		return Theme{}, err
	}
	return overlay(theme.styles, data)
}

// overlay parses a theme file; missing roles are taken from base.
func overlay(base map[Role]Style, data []byte) (Theme, error) {
	var file struct {
		Name, Base string
		Roles      map[Role]json.RawMessage
	}
	if err := unmarshalStrict(data, &file); err != nil {
		return Theme{}, locate(data, err)
	}
	styles := make(map[Role]Style, len(Roles()))
	maps.Copy(styles, base)
	for _, role := range slices.Sorted(maps.Keys(file.Roles)) {
		if !role.known() {
			return Theme{}, fmt.Errorf("role %q: there is no such role", role)
		}
		style, err := parseStyle(role, file.Roles[role])
		if err != nil {
			return Theme{}, fmt.Errorf("role %q: %w", role, err)
		}
		styles[role] = style
	}
	return Theme{Name: file.Name, styles: styles}, nil
}

// locate adds the line to an error that has an offset in data.
func locate(data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := string(data[:min(int(syntax.Offset), len(data))])
	return fmt.Errorf("line %d: %w", 1+strings.Count(before, "\n"), err)
}
