package settings

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Print writes the settings in effect as a configuration, with what each means and where its value comes
// from.
func (s *Settings) Print(w io.Writer) error {
	p := printer{w: w}
	switch {
	case s.File == "":
		p.line("# There is no configuration: VARVIEW_CONFIG is empty.")
	case s.Missing:
		p.line("# There is no configuration yet: it would be %s", s.File)
	default:
		p.line("# The configuration is %s", s.File)
	}
	p.line("# A value without a comment behind it is the default.")
	table := ""
	for _, x := range list() {
		name := x.name
		if before, after, nested := strings.Cut(name, "."); nested {
			if table != before {
				table = before
				p.line("\n[%s]", table)
			}
			name = after
		} else {
			p.line("")
		}
		p.line("# %s", x.help)
		p.value(name, s.values[x.name])
	}
	p.line("\n# The keys of the actions, as in \"x\", \"X\", \"ctrl+x\", \"alt+x\", \"f5\", \"space\", or \"z t\" for\n# one after the other.\n[keys]")
	group := ""
	for _, e := range s.Actions {
		if string(e.Group) != group {
			group = string(e.Group)
			p.line("\n# %s", group)
		}
		v := s.values[keyName(e.Action)]
		v.is = e.Keys
		p.commented(string(e.Action), v, e.Help)
	}
	return p.err
}

// PrintJSON writes the settings in effect as a JSON object.
func (s *Settings) PrintJSON(w io.Writer) error {
	type setting struct {
		Value any    `json:"value"`
		From  string `json:"from"` // "" for the default
		Help  string `json:"help"`
	}
	all := struct {
		File     string             `json:"file"`
		Exists   bool               `json:"exists"`
		Mistakes []string           `json:"mistakes"`
		Settings map[string]setting `json:"settings"`
	}{s.File, !s.Missing, []string{}, map[string]setting{}}
	for _, err := range s.Mistakes {
		all.Mistakes = append(all.Mistakes, err.Error())
	}
	for _, x := range list() {
		all.Settings[x.name] = setting{s.values[x.name].is, s.values[x.name].from, x.help}
	}
	for _, e := range s.Actions {
		name := keyName(e.Action)
		all.Settings[name] = setting{e.Keys, s.values[name].from, e.Help}
	}
	return json.NewEncoder(w).Encode(all)
}

// A printer writes lines up to the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) value(name string, v value) { p.commented(name, v, "") }

// commented writes a setting with a comment, and where its value comes from.
func (p *printer) commented(name string, v value, comment string) {
	line := name + " = " + quoted(v.is)
	if comment != "" {
		line = fmt.Sprintf("%-44s # %s", line, comment)
	}
	if v.from != "" {
		line += " # " + v.from
	}
	p.line("%s", line)
}

// quoted returns a value as TOML.
func quoted(v any) string {
	if keys, ok := v.([]string); ok {
		keys = slices.Clone(keys)
		for i, k := range keys {
			if k == " " {
				keys[i] = "space"
			}
		}
		v = keys
	}
	line, err := toml.Marshal(map[string]any{"x": v})
	if err != nil {
		return fmt.Sprint(v) // no setting has such a value
	}
	return strings.TrimSpace(strings.TrimPrefix(string(line), "x = "))
}
