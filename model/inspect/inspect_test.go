package inspect

import (
	"bytes"
	"math"
	"math/rand"
	"testing"
)

func kind(t *testing.T, name string) *Interpretation {
	t.Helper()
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	t.Fatal("no " + name)
	return nil
}

// What bytes are, worked out by hand from the definitions of the types.
func TestText(t *testing.T) {
	tests := []struct {
		kind  string
		bytes []byte
		big   bool
		want  string
	}{
		{"u8", []byte{0xfe}, false, "254"},
		{"i8", []byte{0xfe}, false, "-2"},
		{"u16", []byte{0x01, 0x80}, false, "32769"},
		{"i16", []byte{0x01, 0x80}, false, "-32767"},
		{"u16", []byte{0x01, 0x80}, true, "384"},
		{"i32", []byte{0xff, 0xff, 0xff, 0xff}, false, "-1"},
		{"u32", []byte{0x12, 0x34, 0x56, 0x78}, true, "305419896"},
		{"u64", []byte{0, 0, 0, 0, 0, 0, 0, 0x80}, false, "9223372036854775808"},
		{"i64", []byte{0, 0, 0, 0, 0, 0, 0, 0x80}, false, "-9223372036854775808"},
		{"i64", []byte{0, 0, 0, 0, 0, 0, 0}, false, ""},
		{"f16", []byte{0x00, 0x3c}, false, "1.0"},
		{"f16", []byte{0x01, 0x00}, false, "5.9604645e-08"},
		{"f16", []byte{0xfc, 0x00}, true, "-inf"},
		{"f16", []byte{0xff, 0x7b}, false, "65504.0"},
		{"f32", []byte{0x3d, 0xcc, 0xcc, 0xcd}, true, "0.1"},
		{"f64", []byte{0x58, 0x39, 0xb4, 0xc8, 0x6a, 0x8a, 0xe7, 0x40}, false, "48211.337"},
		{"bool", []byte{2}, false, "true"},
		{"bool", []byte{0}, false, "false"},
		{"binary", []byte{0x53}, false, "01010011"},
		{"UTF-8", []byte("é!"), false, `"é"`},
		{"UTF-8", []byte{0x1b}, false, `"\u001b"`},
		{"UTF-8", []byte{0xff}, false, ""},
		{"UTF-16", []byte{0x3d, 0xd8, 0x00, 0xde}, false, `"😀"`},
		{"UTF-16", []byte{0x00, 0x41}, true, `"A"`},
		{"UTF-16", []byte{0x00, 0xd8, 0x41, 0}, false, ""},
		{"time s", []byte{0x00, 0x00, 0x00, 0x00}, false, "1970-01-01 00:00:00"},
		{"time s", []byte{0xc8, 0x35, 0x32, 0x66}, false, "2024-05-01 12:30:00"},
		{"time ms", []byte{0xe8, 0x03, 0, 0, 0, 0, 0, 0}, false, "1970-01-01 00:00:01.000"},
		{"time ms", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, false, ""},
		{"colour", []byte{0xff, 0x80, 0x00, 0x40}, false, "#ff800040"},
	}
	for _, x := range tests {
		if got := kind(t, x.kind).Text(x.bytes, x.big); got != x.want {
			t.Errorf("% x as %s (big-endian: %v) is %q, want %q", x.bytes, x.kind, x.big, got, x.want)
		}
	}
}

// What is shown can be typed, and gives the same bytes.
func TestParseText(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	b := make([]byte, 8)
	for range 5000 {
		random.Read(b)
		if random.Intn(2) == 0 {
			b[random.Intn(8)] = 0
		}
		for _, k := range Kinds {
			for _, big := range []bool{false, true}[:1+btoi(k.Both)] {
				text := k.Text(b, big)
				if text == "" || text == "nan" || k.Name == "bool" {
					continue
				}
				got, err := k.Parse(text, big)
				if err != nil || !bytes.Equal(got, b[:k.Taken(b, big)]) {
					t.Fatalf("% x as %s (big-endian: %v) is %s, which is % x (%v)", b, k.Name, big, text, got, err)
				}
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Every half is the one nearest to its own value, and a value between two is the nearer
// one, or the even one.
func TestHalf(t *testing.T) {
	for bits := range uint64(0x10000) {
		v := half(bits)
		if got := halfBits(v); got != bits && !math.IsNaN(v) {
			t.Fatalf("%#x is %v, which is %#x", bits, v, got)
		}
		if next := half(bits + 1); bits < 0x7bff {
			if got, want := halfBits((v+next)/2), bits+bits&1; got != want {
				t.Fatalf("between %#x and the next is %#x, want %#x", bits, got, want)
			}
		}
	}
}

// What does not fit is refused, and says what would.
func TestParseErrors(t *testing.T) {
	for _, x := range []struct{ kind, typed, want string }{
		{"u8", "256", "u8 is an integer from 0 to 255"},
		{"i8", "-129", "i8 is an integer from -128 to 127"},
		{"u64", "-1", "u64 is an integer from 0 to 18446744073709551615"},
		{"f16", "70000", "70000 is too large for f16"},
		{"f32", "1e39", "1e39 is too large for f32"},
		{"f64", "x", "f64 is a float: 1.5, 2e9, inf, -inf, nan"},
		{"bool", "1", "type true or false"},
		{"binary", "2", "type eight binary digits: 01010011"},
		{"UTF-8", "ab", "one character"},
		{"UTF-8", "", "one character"},
		{"time s", "1960-01-01", "32 bits hold times from 1970 to 2106"},
		{"time ms", "soon", "type a time in UTC: 2024-05-01 12:30:00"},
		{"colour", "#12345", "type #rrggbb or #rrggbbaa"},
	} {
		if _, err := kind(t, x.kind).Parse(x.typed, false); err == nil || err.Error() != x.want {
			t.Errorf("%s as %s: %v, want %s", x.typed, x.kind, err, x.want)
		}
	}
}
