package parquetfile

import (
	"bytes"
	"context"
	"testing"

	"github.com/parquet-go/parquet-go"

	"varview/model/sheet"
)

// TestWrite: the library reads back what was written, each column with its type, and a missing cell as null.
func TestWrite(t *testing.T) {
	rows, err := sheet.New()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for _, row := range [][]sheet.Cell{
		{{Name: "z", Kind: sheet.Int, Text: "-9223372036854775808"}, {Name: "a", Kind: sheet.Float, Text: "0.1"}},
		{{Name: "z", Kind: sheet.Int, Text: "7"}, {Name: "late", Kind: sheet.Text, Text: `a"b`}, {Name: "on", Kind: sheet.Bool, Text: "true"}},
	} {
		if err := rows.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	s, err := rows.Sheet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(context.Background(), &out, s, map[string]string{"from": "test"}); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if from, _ := f.Lookup("from"); from != "test" {
		t.Errorf("the metadata say %q", from)
	}
	got := make([]parquet.Row, 3)
	n, _ := f.RowGroups()[0].Rows().ReadRows(got)
	if n != 2 {
		t.Fatalf("%d rows", n)
	}
	min := parquet.Int64Value(-9223372036854775808)
	for i, want := range [][]parquet.Value{
		{min, parquet.DoubleValue(0.1), parquet.NullValue(), parquet.NullValue()},
		{parquet.Int64Value(7), parquet.NullValue(), parquet.ByteArrayValue([]byte(`a"b`)), parquet.BooleanValue(true)},
	} {
		for j := range want {
			if !parquet.Equal(got[i][j], want[j]) {
				t.Errorf("row %d, column %d is %v, not %v", i, j, got[i][j], want[j])
			}
		}
	}
}
