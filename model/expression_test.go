package model_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/engine/tree"
	"varview/model/expression"
)

// TestIs: no literal is an expression.
func TestIs(t *testing.T) {
	for _, s := range []string{"*2", "+10", " /2", "%3", "_", "_+1", "clamp(_,0,100)", "-_", "2 * _"} {
		if !expression.Is(s) {
			t.Errorf("%q is a literal", s)
		}
	}
	for _, s := range []string{"", "5", "-5", `"_"`, `&"_"`, `[_]`, `{ "_": 1 }`, "Vector2(1, 2)", "u8(7)", "a_b", "null", `^"a/_"`} {
		if expression.Is(s) {
			t.Errorf("%q is an expression", s)
		}
	}
}

// TestIsSum: a number is none.
func TestIsSum(t *testing.T) {
	for text, want := range map[string]bool{"100-50": true, "1/3": true, "(2+3)*4": true, "-5 + 2": true, "-5": false, "1.5": false, "": false, "5-": false, "(5)": true,
		"2024-12": true, "0x1f": false, "u8(7)": false, `"1+1"`: false} {
		if expression.IsSum(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestExpression: numbers are exact, and functions do what GDScript's do.
func TestExpression(t *testing.T) {
	for _, c := range []struct {
		old  int64
		text string
		want string
	}{
		{7, "(_ + 1) * 2 - 3", "13"}, {7, "_%4", "3"}, {-7, "_%4", "-3"}, {7, "min(_, 3) + max(_, 9)", "12"},
		{7, "/2|round", "4"}, {7, "_ / 2 | floor | abs", "3"}, {7, "round(_ / 2)", "4"}, {-7, "round(_ / 2)", "-4"}, {-7, "floor(_ / 2)", "-4"}, {-7, "ceil(_/2)", "-3"}, {7, "floor(_/2)", "3"}, {-5, "abs(_)", "5"},
		{9007199254740993, "*1", "9007199254740993"}, {1, "_ * 0x10", "16"}, {10, "*0.5", "5"}, {3, "* 1e2", "300"}, {4, "_-5", "-1"}, {5, "2--_", "7"},
	} {
		x, err := expression.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Of(nil, tree.Scalar{Kind: tree.Int, Bits: uint64(c.old)}, expression.Whole)
		if err != nil || got != c.want {
			t.Errorf("%d %s: %s (%v), want %s", c.old, c.text, got, err, c.want)
		}
	}
	for _, c := range []struct {
		digits, text string
		is           expression.Type
		want         string
	}{
		{"99999999999999999999", "_-1", expression.Whole, "99999999999999999998"}, {"1000000000000000000000000000000", "+1", expression.Whole, "1000000000000000000000000000001"},
		{"-0", "+1", expression.Whole, "1"}, {"3", "*1.5", expression.Any, "4.5"}, {"10.000000", "*2", expression.Any, "20"}, {"2e3", "*2", expression.Float, "4000.0"},
	} {
		x, err := expression.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		bits, _ := strconv.ParseFloat(c.digits, 64)
		got, err := x.Of(nil, tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(bits), Own: []byte(c.digits)}, c.is)
		if err != nil || got != c.want {
			t.Errorf("%s %s: %s (%v), want %s", c.digits, c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]string{"/0": "the divisor is 0", "clamp(_,5,1)": "clamp(_,5,1): the smallest number comes before the largest"} {
		x, err := expression.Parse(text)
		if err == nil {
			_, err = x.Of(nil, tree.Scalar{Kind: tree.Int, Bits: 1}, expression.Whole)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"*", "_+", "clamp(_)", "sin(_)", "(_", "_ _", "min()", "1e999*_", "*" + strings.Repeat("(", 200)} {
		if _, err := expression.Parse(text); err == nil {
			t.Errorf("%s is an expression", text)
		}
	}
}
