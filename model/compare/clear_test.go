package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
)

// TestClear: what has changed in random lists, and what is unclear of it, is the same whether all elements are read or those near
// the changes.
func TestClear(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 120 {
		kinds := []int{2, 5, 1 << 30}[n%3]
		element := func() string { return fmt.Sprintf(`{"id":%d,"tags":["a","b"]}`, r.IntN(kinds)) }
		was := make([]string, 600)
		for i := range was {
			was[i] = element()
		}
		is := slices.Clone(was)
		for range 1 + r.IntN(8) {
			switch i := r.IntN(len(is)); r.IntN(12) {
			case 0:
				is = slices.Delete(is, i, i+1)
			case 1:
				is = slices.Insert(is, i, element())
			case 2:
				is[i], is[(i+1)%len(is)] = is[(i+1)%len(is)], is[i]
			default:
				is[i] = element()
			}
		}
		open := func(list []string) *decoder.Document {
			d, err := decoder.Open(t.Context(), source.Bytes("["+strings.Join(list, ",")+"]"), decoder.Options{Dialect: "json"})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		a, b := open(was), open(is)
		var found [2]string
		for i := range found {
			o := Options{Alike: i == 0, SameDialect: true, Unclear: func(u *Unclear) { found[i] += fmt.Sprintln("unclear", u.FromA, u.ToA, u.IsWeak) }}
			changes, err := All(t.Context(), a.Tree, b.Tree, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes {
				found[i] += fmt.Sprintln(c.Kind, c.Path, c.NewPath, c.Before)
			}
		}
		if found[0] != found[1] {
			t.Errorf("list %d: near the changes\n%sin all\n%s", n, found[0], found[1])
		}
	}
}
