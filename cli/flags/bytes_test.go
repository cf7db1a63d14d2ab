package flags

import "testing"

func TestByteCount(t *testing.T) {
	for _, test := range []struct {
		in   string
		want int64
		ok   bool
	}{
		{"500", 500, true}, {"0x1f4", 500, true}, {"0X1F4", 500, true}, {"010", 10, true}, {"0x7fffffffffffffff", 1<<63 - 1, true},
		{"0x8000000000000000", 0, false}, {"99999999999999999999", 0, false},
		{"", 0, false}, {"0x", 0, false}, {"-1", 0, false}, {"1k", 0, false}, {"1_000", 0, false}, {"0b1", 0, false},
	} {
		n := int64(0)
		if err := (ByteCount{N: &n}).Set(test.in); (err == nil) != test.ok || n != test.want {
			t.Errorf("%q: %d, %v", test.in, n, err)
		}
	}
	n := int64(0)
	if (ByteCount{N: &n, min: 1}).Set("0") == nil {
		t.Error("0 where at least 1 is wanted")
	}
}

func TestByteSize(t *testing.T) {
	for _, test := range []struct {
		in   string
		want int64 // 0 for no size
		text string
	}{
		{"500", 500, "500"}, {"0x400", 1024, "1K"}, {"64M", 64 << 20, "64M"}, {"2g", 2 << 30, "2G"}, {"3KiB", 3072, "3K"}, {"1ti", 1 << 40, "1T"},
		{"1536K", 1536 << 10, "1536K"}, {"8388607T", 8388607 << 40, "8388607T"}, {"9223372036854775807", 1<<63 - 1, "9223372036854775807"},
		{"8388608T", 0, ""}, {"99999999999999999999", 0, ""}, {"0", 0, ""}, {"0M", 0, ""}, {"", 0, ""}, {"M", 0, ""}, {"iB", 0, ""}, {"-1K", 0, ""},
		{"64MB", 0, ""}, {"64i", 0, ""}, {"1.5G", 0, ""}, {"1 G", 0, ""}, {"1KK", 0, ""},
	} {
		n := int64(0)
		size := ByteSize{&n}
		if err := size.Set(test.in); (err == nil) != (test.want > 0) || n != test.want || size.String() != test.text {
			t.Errorf("%q: %d, %q, %v", test.in, n, size.String(), err)
		}
	}
}
