package model_test

import (
	"bytes"
	"context"
	"strconv"
	"testing"

	"varview/model/sheet"
)

// TestColumns: a column can hold all that its rows have, with every digit, and CSV has what was added.
func TestColumns(t *testing.T) {
	rows, err := sheet.New()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for _, object := range []string{
		`{"int": 1, "both": 1, "long": 9007199254740993, "mixed": 1, "bool": true, "text": "a\"b", "list": [1, {"x": 2}]}`,
		`{"int": -9223372036854775808, "both": 0.5, "long": 1e3, "mixed": "x", "bool": null, "late": 18446744073709551616}`,
		`{}`,
	} {
		row, err := sheet.FromJSON([]byte(object))
		if err == nil {
			err = rows.Add(row)
		}
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
	}
	s, err := rows.Sheet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []sheet.Column{{Name: "int", Kind: sheet.Int}, {Name: "both", Kind: sheet.Float}, {Name: "long", Kind: sheet.Text}, {Name: "mixed", Kind: sheet.Text},
		{Name: "bool", Kind: sheet.Bool}, {Name: "text", Kind: sheet.Text}, {Name: "list", Kind: sheet.Text}, {Name: "late", Kind: sheet.Float}}
	if len(s.Columns) != len(want) {
		t.Fatalf("the columns are %v", s.Columns)
	}
	for i, c := range s.Columns {
		if c.Name != want[i].Name || c.Kind != want[i].Kind {
			t.Errorf("column %d is %v, not %v", i, c, want[i])
		}
	}
	var out bytes.Buffer
	quoted := func(s string) string {
		if s == `a"b` {
			return strconv.Quote(s)
		}
		return s
	}
	if err := s.WriteCSV(context.Background(), &out, quoted); err != nil {
		t.Fatal(err)
	}
	const csv = `int,both,long,mixed,bool,text,list,late
1,1,9007199254740993,1,true,"""a\""b""","[1, {""x"": 2}]",
-9223372036854775808,0.5,1e3,x,,,,18446744073709551616
,,,,,,,
`
	if out.String() != csv {
		t.Errorf("CSV is\n%s, not\n%s", out.String(), csv)
	}
}

// TestNoObject: anything but an object is not a row.
func TestNoObject(t *testing.T) {
	for _, text := range []string{``, `[1]`, `{"a": }`, `{"a": 1`, `7`} {
		if row, err := sheet.FromJSON([]byte(text)); err == nil {
			t.Errorf("%q is the row %v", text, row)
		}
	}
}
