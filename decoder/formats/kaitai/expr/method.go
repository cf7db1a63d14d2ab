package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"varview/decoder/value/charset"
)

// method applies an attribute or a method of a value that is not an object.
func method(v Value, name string, args []Value) (Value, error) {
	switch x := v.Ref.(type) {
	case string:
		return textMethod(x, name, args)
	case []byte:
		return bytesMethod(v, x, name, args)
	case Array:
		return arrayMethod(x, name)
	case IO:
		switch name {
		case "pos":
			return Of(x.Pos()), nil
		case "size":
			return Of(x.Size()), nil
		case "eof":
			return Of(x.IsEnd()), nil
		}
	}
	switch {
	case v.Kind == Int && name == "to_i":
		v.Ref = nil
		return v, nil
	case v.Kind == Int && name == "to_s":
		return Of(v.Digits()), nil
	case v.Kind == Float && name == "to_i":
		f := math.Trunc(v.Float())
		if math.Abs(f) >= 1<<63 || f != f {
			return v, fmt.Errorf("%v is not a 64-bit integer", f)
		}
		return Of(int64(f)), nil
	case v.Kind == Bool && name == "to_i":
		return Of(v.N), nil
	case v.Kind == Null:
		return v, fmt.Errorf("there is no value that could have .%s", name)
	}
	return v, fmt.Errorf("%v has no .%s", v.Kind, name)
}

func textMethod(s, name string, args []Value) (Value, error) {
	switch name {
	case "length", "size":
		return Of(utf8.RuneCountInString(s)), nil
	case "to_s":
		return Of(s), nil
	case "reverse":
		r := []rune(s)
		slices.Reverse(r)
		return Of(string(r)), nil
	case "to_i":
		base := int64(10)
		if len(args) > 0 {
			var err error
			if base, err = args[0].Int64(); err != nil || base < 2 || base > 36 {
				return Value{}, fmt.Errorf("%s cannot be the base of a number", args[0].Digits())
			}
		}
		return ParseInt(strings.TrimSpace(s), int(base))
	case "to_b":
		return Of([]byte(s)), nil
	case "substring":
		if len(args) == 2 {
			from, err := args[0].Int64()
			to, err2 := args[1].Int64()
			if r := []rune(s); err == nil && err2 == nil {
				from = min(max(from, 0), int64(len(r)))
				return Of(string(r[from:max(from, min(to, int64(len(r))))])), nil
			}
		}
		return Value{}, fmt.Errorf("substring needs two indexes")
	}
	return Value{}, fmt.Errorf("a string has no .%s", name)
}

func bytesMethod(v Value, b []byte, name string, args []Value) (Value, error) {
	switch name {
	case "length", "size":
		return Of(len(b)), nil
	case "to_s":
		if len(args) != 1 || args[0].Kind != Str {
			return v, fmt.Errorf("to_s needs the name of an encoding")
		}
		s, err := charset.Decode(b, args[0].Text())
		return Of(s), err
	}
	return arrayMethod(elementsOf(v), name)
}

func arrayMethod(a Array, name string) (Value, error) {
	n := a.Len()
	switch name {
	case "length", "size":
		return Of(n), nil
	case "first":
		return a.At(0)
	case "last":
		return a.At(n - 1)
	case "min", "max":
		best, err := a.At(0)
		for i := int64(1); i < n && err == nil; i++ {
			var v Value
			if v, err = a.At(i); err != nil {
				break
			}
			var c int
			if c, err = Compare(v, best); c < 0 == (name == "min") && c != 0 {
				best = v
			}
		}
		return best, err
	}
	return Value{}, fmt.Errorf("an array has no .%s", name)
}
