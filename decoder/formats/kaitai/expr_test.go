package kaitai

import (
	"errors"
	"fmt"
	"testing"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/value/charset"
)

// names is an Env with some attributes.
type names map[string]expr.Value

func (n names) Name(r *expr.Ref) (expr.Value, error) {
	if v, ok := n[r.Name]; ok {
		return v, nil
	}
	return expr.Value{}, fmt.Errorf("no %s", r.Name)
}
func (names) Ref(name string) *expr.Ref        { return &expr.Ref{Name: name} }
func (names) RefOf(expr.Node, string)          {}
func (names) Spend(int) error                  { return nil }
func (names) SizeOfAttr(string) *expr.Constant { return &expr.Constant{Value: expr.Of(4)} }
func (names) SizeOfType(_ string, inBits bool) *expr.Constant {
	if inBits {
		return &expr.Constant{Value: expr.Of(12)}
	}
	return &expr.Constant{Value: expr.Of(2)}
}
func (names) Label(path []string) *expr.Constant {
	if v, ok := animals.Values[path[1]]; ok && path[0] == "animal" {
		return &expr.Constant{Value: v}
	}
	return &expr.Constant{Err: errors.New("unknown enum")}
}

var animals = func() *expr.Enum {
	e := &expr.Enum{Name: "zoo::animal", Names: map[expr.Key]string{{N: 7}: "cat"}}
	e.Values = map[string]expr.Value{"cat": {Kind: expr.Int, N: 7, Ref: e}}
	return e
}()

// show writes a value so that its kind can be seen.
func show(v expr.Value) string {
	switch v.Kind {
	case expr.Int:
		if name, ok := v.Label(); ok {
			return name
		}
		return v.Digits()
	case expr.Float:
		return "float " + v.Digits()
	case expr.Str:
		return fmt.Sprintf("%q", v.Text())
	case expr.Bytes:
		return fmt.Sprintf("bytes %x", v.Data())
	case expr.Bool:
		return fmt.Sprint(v.N != 0)
	case expr.List:
		text := "["
		for i := range v.Ref.(expr.Array).Len() {
			x, _ := v.At(i)
			text += show(x) + " "
		}
		return text + "]"
	}
	return v.Kind.String()
}

func TestEval(t *testing.T) {
	env := names{"x": expr.Of(5), "s": expr.Of("foo"), "b": expr.Of([]byte{1, 2, 3}), "u": expr.Of(uint64(1<<64 - 1)), "low": expr.Of(int64(-1 << 63)), "yes": expr.Of(true), "pet": animals.Values["cat"]}
	for _, c := range []struct{ in, want string }{
		{"1 + 2 * 3", "7"}, {"(1 + 2) * 3", "9"}, {"10 - 2 - 3", "5"}, {"-7 / 2", "-4"}, {"-7 % 3", "2"}, {"7 % -3", "-2"}, {"7 / 2.0", "float 3.5"},
		{"1 << 63", "9223372036854775808"}, {"0xffff_ffff * 0xffff_ffff", "18446744065119617025"}, {"u - 1", "18446744073709551614"},
		{"9223372036854775807 + 1", "9223372036854775808"}, {"low - 1", "error"}, {"u + 1", "error"}, {"(u + 0) & 0xff", "255"}, {"u >> 60", "15"}, {"~0", "-1"}, {"-low", "9223372036854775808"},
		{"0b1010 | 0o17 ^ 3", "14"}, {"1 == 1 and not 2 > 3", "true"}, {"false or yes", "true"}, {"not yes and yes", "false"}, {"x > 3 ? 'a' : 'b'", `"a"`},
		{"x > 3 ? x > 4 ? 1 : 2 : 3", "1"}, {"1 / 0", "error"}, {"1 % 0", "error"}, {"1 +", "error"}, {"", "error"}, {"1 2", "error"}, {"nothing", "error"}, {"'a' + 1", "error"},
		{`"a\n\x41A\101"`, `"a\nAAA"`}, {`'a\n'`, `"a\\n"`}, {`"a" 'b'`, `"ab"`}, {"s + 'bar'", `"foobar"`}, {"s.length", "3"}, {"s.reverse", `"oof"`}, {"s.substring(1, 3)", `"oo"`},
		{"s < 'goo'", "true"}, {"'ff'.to_i(16)", "255"}, {"'-12'.to_i", "-12"}, {"'12x'.to_i", "error"}, {"123.to_s", `"123"`}, {"2.7.to_i", "2"}, {"(-2.7).to_i", "-2"}, {"yes.to_i", "1"},
		{"[1, 2, 255]", "bytes 0102ff"}, {"[1, 256]", "[1 256 ]"}, {"[1, 2].as<u1[]>", "[1 2 ]"}, {"[x, 1].as<bytes>", "bytes 0501"}, {"b[1]", "2"}, {"b[3]", "error"}, {"b.last", "3"}, {"b.length", "3"},
		{"b == [1, 2, 3]", "true"}, {"b < [1, 3]", "true"}, {"[300, 200].max", "300"}, {"['a', 'c'].min", `"a"`}, {"[1, 300].first", "1"}, {"b.to_s('UTF-8')", `"\x01\x02\x03"`}, {"b.to_s('none')", "error"},
		{"pet", "cat"}, {"animal::cat == pet", "true"}, {"animal::dog", "error"}, {"other::cat", "error"}, {"pet.to_i + 1", "8"}, {"sizeof<foo>", "2"}, {"bitsizeof<foo>", "12"}, {"x._sizeof", "4"},
		{`f"{x}: {s} {'a'}!"`, `"5: foo a!"`}, {`f"{"`, "error"}, {"1.5e3", "float 1500"}, {"0.1 + 0.2 < 0.4", "true"}, {"1 < 2.5", "true"}, {"s == b", "error"}, {"1 << 200", "error"}, {"x.as<u8>", "5"},
	} {
		n, err := expr.Parse(c.in, env)
		got := "error"
		if err == nil {
			if v, failed := n.Eval(env); failed == nil {
				got = show(v)
			}
		}
		if got != c.want {
			t.Errorf("%s is %s, not %s (%v)", c.in, got, c.want, err)
		}
	}
}

func TestDeep(t *testing.T) {
	for _, part := range []string{"(", "-", "not ", "[", "x ? x : ", "a.", "1+", `f"{`} {
		text := ""
		for range 5000 {
			text += part
		}
		if _, err := expr.Parse(text+"1", names{}); err == nil {
			t.Errorf("5000 times %q is accepted", part)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct{ name, hex, want string }{
		{"ASCII", "61", "a"}, {"UTF-16LE", "61003d04", "aн"}, {"utf-16be", "0061", "a"}, {"SJIS", "82b1", "こ"}, {"IBM437", "b0", "░"}, {"windows-1252", "80", "€"}, {"ISO-8859-1", "80", "\u0080"},
		{"UTF-32LE", "61000000", "a"}, {"ISO-8859-15", "a4", "€"}, {"EUC-JP", "a4b3", "こ"}, {"koi8-r", "c1", "а"},
		{"MUTF-8", "61c080c3a9e38193eda0bdedb88062", "a\x00éこ😀b"}, {"mutf8", "", ""},
	} {
		var b []byte
		fmt.Sscanf(c.hex, "%x", &b)
		s, err := charset.Decode(b, c.name)
		if s != c.want || err != nil {
			t.Errorf("%s: %q, %v", c.name, s, err)
		}
		if back, err := charset.Encode(c.want, c.name); string(back) != string(b) || err != nil {
			t.Errorf("%s: %x, %v", c.name, back, err)
		}
	}
	for _, b := range []string{"a\U0001f600", "\xed\xa0\xbd", "\xed\xa0\xbda", "\xc0\x81", "\xe3\x81"} { // of the modified UTF-8 of Java
		if _, err := charset.Decode([]byte(b), "MUTF-8"); !errors.As(err, new(*charset.Error)) {
			t.Errorf("MUTF-8: %x: %v", b, err)
		}
	}
	if s, err := charset.Decode([]byte("a\x00"), "MUTF-8"); s != "a\x00" || err != nil { // DataInput.readUTF takes it
		t.Errorf("MUTF-8: %q, %v", s, err)
	}
	for _, name := range []string{"ASCII", "UTF-8", "UTF-16LE"} {
		if _, err := charset.Decode([]byte{0xff, 0xdc, 0xff}, name); !errors.As(err, new(*charset.Error)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
