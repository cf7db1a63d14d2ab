package inspect

import (
	"math"
	"math/bits"
	"strings"
)

// A Series is a sequence of numbers, as far as they were looked at.
type Series struct {
	Values         []float64 // NaN and infinities do not count in what follows
	Min, Max, Mean float64
	finite         int
}

// Add appends a number.
func (s *Series) Add(v float64) {
	s.Values = append(s.Values, v)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if s.finite == 0 {
		s.Min, s.Max = v, v
	}
	s.finite++
	s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	s.Mean += (v - s.Mean) / float64(s.finite)
}

// Fit returns at most n numbers that keep the shape of the series: means of neighbours.
func (s *Series) Fit(n int) []float64 {
	if len(s.Values) <= n {
		return s.Values
	}
	fit := make([]float64, n)
	for i := range fit {
		part := Series{}
		for _, v := range s.Values[i*len(s.Values)/n : (i+1)*len(s.Values)/n] {
			part.Add(v)
		}
		if fit[i] = part.Mean; part.finite == 0 {
			fit[i] = math.NaN()
		}
	}
	return fit
}

var sparks = []rune("▁▂▃▄▅▆▇█")

// Spark draws the series one line high in at most width columns. Numbers that are not finite are blanks.
func (s *Series) Spark(width int) string {
	var out strings.Builder
	for _, v := range s.Fit(width) {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			out.WriteByte(' ')
		case s.Max == s.Min:
			out.WriteRune(sparks[len(sparks)/2-1])
		default:
			out.WriteRune(sparks[int((v-s.Min)/(s.Max-s.Min)*float64(len(sparks)-1)+0.5)])
		}
	}
	return out.String()
}

// Bits returns the bits that are set in a number, lowest first.
func Bits(v uint64) []int {
	var set []int
	for ; v != 0; v &= v - 1 {
		set = append(set, bits.TrailingZeros64(v))
	}
	return set
}

// Timestamp returns the time that a number could be, in seconds or milliseconds since 1970, if it is in
// the years 2000 to 2099; otherwise "".
func Timestamp(v float64) string {
	const from, to = 946684800, 4102444800
	switch {
	case v >= from && v < to:
		return seconds(int64(v))
	case v >= from*1000 && v < to*1000:
		return seconds(int64(v / 1000))
	}
	return ""
}
