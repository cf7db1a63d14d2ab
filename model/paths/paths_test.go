package paths

import (
	"context"
	"slices"
	"testing"

	"varview/decoder"
	"varview/model"
	"varview/model/savetest"
)

// found opens a stream with one dictionary, and returns the paths that list finds.
func found(t *testing.T, list func(context.Context, *model.Buffer) []Path) []string {
	t.Helper()
	text, integer := savetest.Text, savetest.Integer
	stats := savetest.Dictionary(text("hp"), integer(3), text("HP max"), integer(9))
	data := savetest.Stream(savetest.Dictionary(text("name"), text("Mira"), text("max"), integer(1), text("stats"), stats))
	d, err := model.Open(context.Background(), savetest.Write(t, data), model.Options{Options: decoder.Options{Dialect: "godot4", Framing: "stream"}})
	savetest.Must(t, err)
	defer d.Close()
	var all []string
	for _, p := range list(context.Background(), d.Innermost()) {
		all = append(all, p.Path+" "+p.Type+" "+p.Value)
	}
	return all
}

func TestContinuing(t *testing.T) {
	for typed, want := range map[string][]string{
		"$":               {`$[0].name String "Mira"`, "$[0].max int 1", `$[0].stats Dictionary { "hp": 3, "HP max": 9 }`}, // the only value of a stream may be left out
		"$[0].na":         {`$[0].name String "Mira"`},
		"na":              {`$[0].name String "Mira"`},
		"$[0].stats.":     {"$[0].stats.hp int 3", `$[0].stats["HP max"] int 9`},
		"$[0].stats.h":    {"$[0].stats.hp int 3", `$[0].stats["HP max"] int 9`}, // whatever the case
		`$[0].stats["`:    {`$[0].stats["HP max"] int 9`},
		"$[0].ame":        {`$[0].name String "Mira"`}, // where none begins so
		"$[0].nothing.hp": nil,
		"$[0].x":          {"$[0].max int 1"},
	} {
		got := found(t, func(ctx context.Context, b *model.Buffer) []Path { return Continuing(ctx, b, typed, 10) })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
}

func TestWith(t *testing.T) {
	for _, c := range []struct{ parts, want []string }{
		{[]string{"stats", "hp"}, []string{"$[0].stats.hp int 3", `$[0].stats["HP max"] int 9`}},
		{[]string{"hp", "stats"}, nil},
		{[]string{"Mir"}, []string{`$[0].name String "Mira"`}}, // what it shows
		{[]string{"name", "mira"}, []string{`$[0].name String "Mira"`}},
		{[]string{"stats", "mira"}, nil},
		{[]string{"smx"}, []string{`$[0].stats["HP max"] int 9`}}, // letters that are not side by side
	} {
		got := found(t, func(ctx context.Context, b *model.Buffer) []Path { return With(ctx, b, c.parts, 10) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.parts, got, c.want)
		}
	}
}

func TestLastStep(t *testing.T) {
	for typed, want := range map[string][2]string{
		"":                   {"$", ""},
		"hp":                 {"$", ".hp"},
		"$.a.b":              {"$.a", ".b"},
		"$[0]":               {"$[0]", ""},
		"$[0][":              {"$[0]", "["},
		`$["a.b[`:            {"$", `["a.b[`},
		"$[Vector2(1, 2)].x": {"$[Vector2(1, 2)]", ".x"},
		".a.":                {"$.a", "."},
	} {
		if around, part := lastStep(typed); around != want[0] || part != want[1] {
			t.Errorf("%s: %q and %q, want %q", typed, around, part, want)
		}
	}
}
