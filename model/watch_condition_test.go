package model_test

import (
	"context"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/model/watch"
)

func TestCondition(t *testing.T) {
	// { "gold": 120, "name": "a=b", "hp": 1.5 } of Godot 4, by the specification
	file := "\x1b\x00\x00\x00\x03\x00\x00\x00" +
		"\x04\x00\x00\x00\x04\x00\x00\x00gold" + "\x02\x00\x00\x00\x78\x00\x00\x00" +
		"\x04\x00\x00\x00\x04\x00\x00\x00name" + "\x04\x00\x00\x00\x03\x00\x00\x00a=b\x00" +
		"\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00" + "\x03\x00\x00\x00\x00\x00\xc0\x3f"
	d, err := decoder.Open(context.Background(), source.Bytes(file), decoder.Options{Dialect: "godot4", Framing: "raw"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for typed, want := range map[string]bool{
		"gold>100": true, "gold > 120": false, "gold>=120": true, "gold<120": false, "gold<=120": true, "gold=120": true, "gold!=120": false,
		"$.hp>1": true, "hp<1.5": false, `name="a=b"`: true, `name!="a=b"`: false, `["name"]="x"`: false, "name>1": false, "nothing>1": false, "nothing!=1": true,
		"gold>100 && hp<2": true, "gold>120 || !(hp=1.5)": false, "gold=0x78": true, `name~"^a="`: true, "name~A": true, "$#=3": true,
		"gold=120.0000000000000001": false, "hp=1.50": true, "hp=null": false,
	} {
		c, err := watch.ParseCondition(typed)
		if err != nil {
			t.Errorf("%s: %v", typed, err)
			continue
		}
		if is, _ := c.Becomes(d.Tree.NewReader()); is != want {
			t.Errorf("%s is %v", typed, is)
		}
	}
	for _, typed := range []string{"", "gold", ">5", "gold>", "gold>much", "gold=", "gold>$least", "gold=1 hp=2"} {
		if _, err := watch.ParseCondition(typed); err == nil {
			t.Errorf("%q is a condition", typed)
		}
	}
}
