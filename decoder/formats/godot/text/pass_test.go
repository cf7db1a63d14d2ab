package text_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// passed returns the problems of a text, the types and the largest of its values and the place where a scan ends, and the number
// of its events; quick passes many values at a time.
func passed(tr *tree.Tree, quick, checked bool) (met []string, events int) {
	s := tr.Scanner()
	if s.PassOrdinary, s.Tally = quick, new(tree.Tally); checked {
		s.Report = func(p span.Problem) { met = append(met, p.Code+" "+p.Message+" "+p.Engine) }
	} else {
		s.Tally = nil
	}
	count := new(tree.Tally)
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		events++
		if v := s.Value(); (ev == tree.Enter || ev == tree.Atom) && !s.Slot().Key && v.Damage == nil {
			if v.Body > v.Head {
				count.Types[v.Type]++
			}
			if ev == tree.Atom {
				count.Compare(span.Between(v.Head, v.End)) // without what precedes it
			}
		}
	}
	if checked {
		count.Add(s.Tally)
		met = append(met, fmt.Sprint(count.Types, count.Largest))
	}
	return append(met, fmt.Sprint(s.Pos())), events
}

// TestPass passes ordinary values many at a time, and others as if each were read alone.
func TestPass(t *testing.T) {
	odd := strings.Split(`1|-2|007|1.|.5|+1|-|1e5|1e-05|1e40|2.5e-300|99999999999|99999999999999999999|300|-1|null|nil|true|inf|nan|"a"|"a`+"\n"+`b"|"\q"|"\u00e9"|"\ud800"|`+"\"\xff\""+
		`|"`+strings.Repeat("long ", 20)+`"|&"n"|^"a/b"|@"p"|#ff0000|Vector2(1, 2)|Vector2(1,2.5 )|Vector2(1)|Vector2(1, 2, 3)|Vector2i(1.5, 2)|Vector2i(1, 99999999999)|Color(1, 0, 0, 1)|Quat(1, 2, 3, 4)|`+
		`Rect3(1, 2, 3, 4, 5, 6)|Transform(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)|Vector9(1)|[]|[1, 2]|[1, 2,]|{}|{1: 2, 1: 3}|{"a": [{"b": 2}]}|{Vector2(1, 2): 3}|PackedByteArray(1, 2, 300)|PackedInt32Array(1, -2, 1.5)|PackedVector2Array(1, 2, 3, 4)|`+
		`PackedVector2Array(1, 2, 3)|PackedStringArray("a", 1)|PoolIntArray( 1, 2 )|Array[int]([1, 2.5, "a"])|Dictionary[String, int]({"a": 1, 2: 3})|Array[Vector2]([Vector2(1, 2)])|ExtResource("1")|Resource("res://a.gd")|`+
		"\n[true]|\n[node]|\n[\"a\"]|\na = 1|; remark\n1||,|:|)|]|}", "|")
	random := rand.New(rand.NewSource(4))
	some := func() string { return odd[random.Intn(len(odd))] }
	for _, head := range []string{"[gd_resource type=\"A\" format=%d]\n\n[resource]\n", "[a]\n\nb=Vector2(1, 2)\nv=%d\n", ""} {
		for n := range 120 {
			var b strings.Builder
			if head != "" {
				fmt.Fprintf(&b, head, 2+n%2)
			}
			for k := range 5 {
				switch {
				case head == "":
				case n%4 == 1 && k > 0:
					fmt.Fprintf(&b, "[s%d]\n\nkey=%s\nother=2\n\n", k, some())
				case n%4 == 2:
					fmt.Fprintf(&b, "\nk%d = %s", k%4, some())
				}
			}
			if n%4 == 3 || head == "" {
				if head != "" {
					b.WriteString("items = ")
				}
				fmt.Fprintf(&b, "[{\"k\": %s, \"l\": [%s]}, %s, [%s, %s], {%s: 1, \"k\": 2}]\n", some(), some(), some(), some(), some(), some())
			}
			text := b.String()
			for _, checked := range []bool{false, true} {
				one, _ := passed(open(text), false, checked)
				if many, _ := passed(open(text), true, checked); !slices.Equal(one, many) {
					t.Fatalf("%q:\none by one: %q\nmany at a time: %q", text, one, many)
				}
			}
		}
	}
	var sections strings.Builder
	for k := range 5000 {
		fmt.Fprintf(&sections, "[item%d]\n\nid=1\nat=Vector2(1, -2.5)\nname=\"one\"\n\n", k)
	}
	for _, text := range []string{
		"[gd_resource type=\"A\" format=3]\n\n[resource]\nitems = [" + strings.Repeat("{\n\"id\": 1,\n\"at\": Vector2(1, -2.5)\n}, ", 5000) + "1]\n",
		"[gd_resource type=\"A\" format=3]\n\n[resource]\nitems = PackedVector2Array(" + strings.Repeat("1, -2.5, ", 5000) + "1, 2)\n",
		sections.String(),
	} {
		if _, events := passed(open(text), true, true); events > 200 {
			t.Errorf("%.60q… of 5000 is passed in %d events", text, events)
		}
	}
}

// TestMayBeText holds that names are texts too, and that numbers are none.
func TestMayBeText(t *testing.T) {
	for _, text := range []string{"[gd_resource type=\"A\" format=3]\n\n[resource]\nhp = 5\n\"a b\" = &\"n\"\n", "[player one]\n\nhp=5\nname=\"Mira\"\n", `{"a": [1, "b", ^"c/d"], "at": Vector2(1, 2)}`} {
		tr := open(text)
		s, texts, others := tr.Scanner(), 0, 0
		for ev := s.Next(); ev != tree.Done; ev = s.Next() {
			if ev != tree.Atom {
				continue
			}
			v := *s.Value()
			isText := tr.Reading.(tree.Describer).Describe(s.Window(), &v).Kind == tree.Text
			may := tr.Reading.(tree.Texter).MayBeText(&v)
			if isText && !may {
				t.Errorf("%q: the text at %d is taken for none", text, v.Head)
			}
			if isText {
				texts++
			} else if !may {
				others++
			}
		}
		if texts < 3 || others < 1 {
			t.Errorf("%q: %d texts, %d other values", text, texts, others)
		}
	}
}
