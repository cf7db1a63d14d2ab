package elephantref

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// gml writes the constructors as a game has them, in varying layouts.
func (cs classes) gml(r *rand.Rand) string {
	w := &gmlWriter{r: r}
	w.out.WriteString("/// Constructors of a random game. \"v1 : {\" in a comment means nothing.\n")
	for _, i := range r.Perm(len(cs)) { // a parent may be declared after its child
		w.class(cs[i])
	}
	return w.out.String()
}

type gmlWriter struct {
	r   *rand.Rand
	out strings.Builder
}

func (w *gmlWriter) printf(format string, args ...any) { fmt.Fprintf(&w.out, format, args...) }

// choose returns one of the texts.
func (w *gmlWriter) choose(texts ...string) string { return texts[w.r.IntN(len(texts))] }

func (w *gmlWriter) class(c *class) {
	w.printf("\nfunction %s()", c.name)
	if c.parent != nil {
		w.printf(" : %s()", c.parent.name)
	}
	w.printf(" constructor%s{\n", w.choose(" ", "\n", " // the body\n"))
	schemaFirst := w.r.IntN(3) == 0
	if schemaFirst {
		w.block(c.own)
	}
	for _, name := range c.members() {
		if isIdentifier(name) {
			w.printf("\t%s = %s;\n", name, w.choose("undefined", "0", `"{ v9 : buffer_u8 }"`, "[]", "{ v1 : { a : 1 } }"))
		} else {
			w.printf("\tself[$ \"%s\"] = 0;\n", name)
		}
	}
	if !schemaFirst {
		w.block(c.own)
	}
	w.printf("%s}\n", w.choose("", "\tstatic Tick = function() { return { hp : buffer_u8 }; };\n"))
}

// block writes the ELEPHANT_SCHEMA block: special keys and versions in any order.
func (w *gmlWriter) block(block *declared) {
	if block == nil {
		return
	}
	var entries []string
	if block.force != nil {
		entries = append(entries, fmt.Sprintf("ELEPHANT_FORCE_VERSION : %d", *block.force))
	}
	if block.exclude != nil {
		entries = append(entries, fmt.Sprintf("ELEPHANT_VERBOSE_EXCLUDE : [\"%s\"]", strings.Join(block.exclude, `", "`)))
	}
	for _, version := range slices.Sorted(maps.Keys(block.versions)) {
		entries = append(entries, fmt.Sprintf("v%d : %s", version, w.schema(block.versions[version])))
	}
	w.shuffle(entries)
	w.printf("\tELEPHANT_SCHEMA%s{\n\t\t%s%s\n\t}\n", w.choose(" ", "\n\t", " /* v1 */ "),
		strings.Join(entries, w.choose(",\n\t\t", ", ", ", // next\n\t\t")), w.choose("", ","))
}

func (w *gmlWriter) schema(s *Schema) string {
	var lines []string
	if s.Verbose {
		lines = append(lines, "ELEPHANT_VERSION_VERBOSE : true")
	}
	for _, m := range s.Members {
		name := m.Name
		if !isIdentifier(name) || w.r.IntN(10) == 0 {
			name = `"` + name + `"`
		}
		lines = append(lines, fmt.Sprintf("%s%s: buffer_%s", name, w.choose("", " ", "\t"), m.Type))
	}
	w.shuffle(lines)
	if len(lines) == 0 {
		return "{}"
	}
	if w.r.IntN(2) == 0 {
		return "{ " + strings.Join(lines, ", ") + w.choose("", ",") + " }"
	}
	return "{\n\t\t\t" + strings.Join(lines, ",\n\t\t\t") + w.choose("", ",") + "\n\t\t}"
}

func (w *gmlWriter) shuffle(texts []string) {
	w.r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
}
