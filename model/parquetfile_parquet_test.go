package model_test

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"varview/model/sheet"
	"varview/model/sheet/parquetfile"
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
	if err := parquetfile.Write(context.Background(), &out, s, map[string]string{"from": "test"}); err != nil {
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

// TestGroups: rows beyond a group of 16 MiB are in the next, at the places of its pages, and bits of rows and bools go on over bytes.
func TestGroups(t *testing.T) {
	rows, err := sheet.New()
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	long := strings.Repeat("a", 4<<20)
	for i := range 21 {
		row := []sheet.Cell{{Name: "i", Kind: sheet.Int, Text: strconv.Itoa(i)}}
		if i%3 > 0 {
			row = append(row, sheet.Cell{Name: "on", Kind: sheet.Bool, Text: strconv.FormatBool(i%5 == 0)})
		}
		if i < 4 {
			row = append(row, sheet.Cell{Name: "long", Kind: sheet.Text, Text: long})
		}
		if err := rows.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	s, err := rows.Sheet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := parquetfile.Write(context.Background(), &out, s, nil); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, g := range f.RowGroups() {
		got := make([]parquet.Row, 32)
		n, _ := g.Rows().ReadRows(got)
		for _, row := range got[:n] {
			on := parquet.NullValue()
			if at%3 > 0 {
				on = parquet.BooleanValue(at%5 == 0)
			}
			if row[0].Int64() != int64(at) || !parquet.Equal(row[2], on) || row[1].IsNull() != (at >= 4) {
				t.Errorf("row %d is %v, %v", at, row[0], row[2])
			}
			at++
		}
	}
	if groups := len(f.RowGroups()); at != 21 || groups != 2 {
		t.Errorf("%d rows in %d groups", at, groups)
	}
}
