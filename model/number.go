package model

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Grouped writes a number with commas between thousands: 1,234,567.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted writes a number of things: 1 byte, 12,684 bytes.
func Counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Grouped(n) + " " + thing + "s"
}

// ByteCount writes a number of bytes in words.
func ByteCount(n int64) string { return Counted(n, "byte") }

// ByteSize writes a size for a title: 812 B, 12.4 KiB, 1.0 GiB.
func ByteSize(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	x, units := float64(n)/1024, "KMGTPE"
	for x >= 1000 && len(units) > 1 {
		x, units = x/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", x, units[0])
}

// ParseByteSize reads a size of at least one byte: 500000, 64M, 2G. Units are
// powers of 1024: K, M, G, T, also as Ki or KiB.
func ParseByteSize(s string) (int64, error) {
	number, shift := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(s), "IB"), "I")), 0
	if last := len(number) - 1; last > 0 {
		if unit := strings.IndexByte("KMGT", number[last]); unit >= 0 {
			number, shift = strings.TrimSpace(number[:last]), 10*(unit+1)
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err != nil || n < 1:
		return 0, errors.New("a size is wanted, as 500000, 64M or 2G")
	case n > math.MaxInt64>>shift:
		return 0, errors.New("the size is larger than any file can be")
	}
	return n << shift, nil
}
