package output

import "testing"

func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 1023: "1,023 bytes", 1024: "1.0 KiB (1,024 bytes)", 12684: "12.4 KiB (12,684 bytes)",
		1 << 20: "1.0 MiB (1,048,576 bytes)", 5 << 30: "5.0 GiB (5,368,709,120 bytes)", 3 << 50: "3072.0 TiB (3,377,699,720,527,872 bytes)",
	} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
