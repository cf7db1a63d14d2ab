package convert

import (
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// TestUnnamed: a property whose name is not valid stops a conversion that puts null in the place of values, since null would have
// the name too. It changes nothing for the values after it.
func TestUnnamed(t *testing.T) {
	var all []format.Outcome
	q := &format.ConvertRequest{Lost: format.Nulled, Report: func(l format.Loss) { all = append(all, l.Outcome) }}
	c := FileConverter{File: &File{}, losses: losses{q: q}, to: Target{Engine: types.Text3}}
	c.unnamed("$.a", "int")
	l := literal.Literal{Kind: types.RID, Parts: &literal.Parts{}}
	if isKept := c.fit(&l, func() string { return "$.b" }, "RID()"); !isKept || l.Kind != types.Nil {
		t.Errorf("the value after it: kept %v, as %s", isKept, l.TypeText())
	}
	if len(all) != 2 || all[0] != format.Stops || all[1] != format.Nulled || c.stops.Count != 1 || c.stops.First.Path != "$.a" {
		t.Errorf("%v, %+v", all, c.stops)
	}
}
