package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// maxTypes is the largest number of types in a line about them.
const maxTypes = 12

// LossLines describes what plain JSON leaves out; there are no lines if it leaves out nothing.
func LossLines(l *tree.Loss) (lines []string) {
	if line := lostTypes(l.Types); line != "" {
		lines = append(lines, line)
	}
	for _, x := range []struct {
		n         int64
		one, many string
	}{
		{l.Keys, "key that is not text becomes its literal", "keys that are not text become their literals"},
		{l.Repeated, "key repeats another in its object", "keys repeat another in their object"},
		{l.NotFinite, "number that is not finite becomes null", "numbers that are not finite become null"},
		{l.Large, "whole number is beyond 2⁵³, which many readers round", "whole numbers are beyond 2⁵³, which many readers round"},
		{l.NotUTF8, "text that is not UTF-8 gets replacement characters", "texts that are not UTF-8 get replacement characters"},
		{l.Damaged, "value that cannot be read becomes null", "values that cannot be read become null"},
	} {
		if x.n == 1 {
			lines = append(lines, "1 "+x.one)
		} else if x.n > 1 {
			lines = append(lines, fmt.Sprintf("%d %s", x.n, x.many))
		}
	}
	return lines
}

// lostTypes says how many values have lost their type; "" if none has.
func lostTypes(types map[string]int64) string {
	if len(types) == 0 {
		return ""
	}
	type named struct {
		name string
		n    int64
	}
	var all []named
	var sum int64
	for name, n := range types {
		all = append(all, named{name, n})
		sum += n
	}
	slices.SortFunc(all, func(a, b named) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	var parts []string
	for _, t := range all[:min(len(all), maxTypes)] {
		parts = append(parts, fmt.Sprintf("%s %d", t.name, t.n))
	}
	if len(all) > maxTypes {
		parts = append(parts, "…")
	}
	return fmt.Sprintf("plain JSON leaves out the types of %s: %s", span.Counted(sum, "value"), strings.Join(parts, ", "))
}
