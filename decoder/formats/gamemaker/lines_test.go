package gamemaker_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/gamemaker"
)

// TestLines reads texts with every line end, with NULs, with empty lines and with blanks behind numbers.
func TestLines(t *testing.T) {
	for _, c := range []struct{ text, json, fields string }{
		{"", "[]", ""},
		{"\x00\x00", "[]", `$ padding unused=0000`},
		{"\n", `[""]`, `$ terminator line end=\n`},
		{"\n\n", `["",""]`, `$[1] terminator line end=\n; $ terminator line end=\n`},
		{"\r\na", `["","a"]`, `$[1] terminator line end=\r\n; $[1] text text=a`},
		{"Mira\r\n14 \r\n\r\n-0.50 \n", `["Mira",14,"",-0.50]`,
			`$[0] text text=Mira; $[1] terminator line end=\r\n; $[1] value value=14; $[1] padding blank= ; $[2] terminator line end=\r\n; $[3] terminator line end=\r\n; $[3] value value=-0.50; $[3] padding blank= ; $ terminator line end=\n`},
		{"a b\x00c\n5\x00\x00", `["a b\u0000c",5]`, `$[0] text text=a b\u0000c; $[1] terminator line end=\n; $[1] value value=5; $ padding unused=0000`},
		{"1\n\x00", `[1]`, `$[0] value value=1; $ terminator line end=\n; $ padding unused=00`},
		{"\ufeff7\n\"q\", [1]\r\rx\n", `[7,"\"q\", [1]\r\rx"]`, `$[0] magic byte order mark=\ufeff; $[0] value value=7; $[1] terminator line end=\n; $[1] text text="q", [1]\r\rx; $ terminator line end=\n`},
		{"007\n1e3\n9301000003000000010000000400000067\n+5\n1.\n", `["007",1e3,9301000003000000010000000400000067,"+5","1."]`, ""},
	} {
		tr := simpletest.Open(t, gamemaker.Lines, []byte(c.text))
		if got := simpletest.JSONOf(t, tr); got != c.json {
			t.Errorf("%q: %s, want %s", c.text, got, c.json)
		}
		if got := strings.Join(simpletest.FieldsOf(t, tr), "; "); got != c.fields && c.fields != "" {
			t.Errorf("%q: %s, want %s", c.text, got, c.fields)
		}
		if p := simpletest.ProblemsOf(t, tr); len(p) > 0 {
			t.Errorf("%q: %q", c.text, p)
		}
	}
}

// TestSniffLines accepts many short values, a line each, and nothing that is another text.
func TestSniffLines(t *testing.T) {
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for _, c := range []struct {
		text string
		want format.Claim
	}{
		{"Mira\r\n" + many("0 \r\n", 9), format.LastResort},
		{"106\n1", format.LastResort},
		{"106\n", format.None}, // a value in another text
		{"mode\nhigh_score\n37\ntime\n4.70499992370605\n", format.LastResort},
		{"5\n85 5\n9 8\n71 11\n", format.LastResort}, // coordinates
		{many("tile 1 30 28\nitem acorn\n", 20), format.LastResort},
		{many("7\n", 20) + "<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> other\n" + many("7\n", 20), format.None},
		{"1\n914\n" + many("null\nobj\n", 20), format.LastResort},
		{"a title\nand a text\nwith 3 words\n", format.None},
		{many("sword\n\n12 \n", 40), format.LastResort},
		{many("a line of prose that is wrapped, as people write it, at a hundred characters or so\n", 40), format.None},
		{many("word\n", 100), format.None},
		{many("1,2,3\n", 100), format.None},
		{many("[a]\nx=1\n", 50), format.None},
		{many("key: 5\n", 50), format.None},
		{many("1\x01\n", 50), format.None},
		{many("1\xff\n", 50), format.None},
		{many("1 \n", 50) + many("\x00", 4000), format.LastResort},
		{many("a text that has more than forty characters in it\n1 \n2 \n", 10), format.LastResort},
		{many("a text that has more than forty characters in it\nx\n1 \n", 10), format.None},
		{many("7 \n", 5000) + many("\xff", 3000), format.None},
	} {
		if got := gamemaker.Lines.Sniff(source.Bytes(c.text), span.Between(0, int64(len(c.text)))); got != c.want && len(c.text) < 16<<10 {
			t.Errorf("%.60q: %v, want %v", c.text, got, c.want)
		}
	}
}

// linesModel is a plain list of lines, each with the line end before it.
type linesModel struct{ lines, ends []string }

func (m *linesModel) text(tail string) string {
	var b strings.Builder
	for i, line := range m.lines {
		if i > 0 {
			b.WriteString(m.ends[i-1])
		}
		b.WriteString(line)
	}
	return b.String() + tail
}

// changeLine makes an edit of a line.
func changeLine(t *testing.T, tr *tree.Tree, op string, i int64, value string) ([]byte, error) {
	r, e, content := tr.NewReader(), tr.Reading.(edit.Editor), edit.Content{Literal: value}
	if op == "insert" {
		splices, err := e.Insert(t.Context(), r, tr.Base, i, content, edit.Options{})
		return simpletest.Spliced(t, tr, splices, err)
	}
	n, err := r.Child(tr.Base, i)
	if err != nil {
		return nil, err
	}
	var splices []source.Splice
	switch op {
	case "set":
		splices, err = e.Set(t.Context(), r, n, content, edit.Options{})
	case "delete":
		splices, err = e.Delete(t.Context(), r, n, edit.Options{})
	default:
		to, _ := strconv.ParseInt(value, 10, 64)
		splices, err = e.Move(t.Context(), r, n, to, edit.Options{})
	}
	got, err := simpletest.Spliced(t, tr, splices, err)
	if err == nil {
		after, _ := tr.Edited(source.Bytes(got), splices, func(span.Problem) {})
		if a, b := simpletest.FieldsOf(t, after), simpletest.FieldsOf(t, simpletest.Open(t, gamemaker.Lines, got)); !slices.Equal(a, b) {
			t.Fatalf("%q: %q after the edit, but %q after opening", got, a, b)
		}
	}
	return got, err
}

// TestRandomLines makes random edits of texts and of lists of lines, which must stay the same.
func TestRandomLines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	words := []string{"", "Mira", "a b", "x\x00y", "[1, 2]", `"q"`, "0x1f", "ü", "{\"a\": 1}", "# c", " lead", "tail "}
	for range 300 {
		end, blank := []string{"\n", "\r\n"}[r.IntN(2)], []string{"", " "}[r.IntN(2)]
		line := func() (line, literal string) {
			if r.IntN(2) == 0 {
				n := []string{"0", "-7", "2.5", "123456"}[r.IntN(4)]
				return n + blank, n
			}
			w := words[r.IntN(len(words))]
			return w, strings.ReplaceAll(strconv.Quote(w), `\x00`, `\u0000`)
		}
		m := &linesModel{}
		for range 1 + r.IntN(8) {
			s, _ := line()
			m.lines, m.ends = append(m.lines, s), append(m.ends, end)
		}
		m.lines[0] = "5" + blank
		tail := []string{"", end, end + "\x00\x00"}[r.IntN(3)]
		if tail == "" && m.lines[len(m.lines)-1] == "" {
			tail = end // otherwise there is no such line
		}
		for range 8 {
			was := m.text(tail)
			tr := simpletest.Open(t, gamemaker.Lines, []byte(was))
			n := len(m.lines)
			i := r.IntN(n)
			s, literal := line()
			op, value := []string{"set", "insert", "delete", "move"}[r.IntN(4)], literal
			isNumber := func(line string) bool { return strings.Trim(line, "-0123456789. ") == "" && line != "" }
			switch op {
			case "set":
				if isNumber(s) != isNumber(m.lines[i]) || tail == "" && i == n-1 && s == "" {
					continue
				}
				if isNumber(s) && !strings.HasSuffix(m.lines[i], " ") {
					s = strings.TrimRight(s, " ")
				}
				m.lines[i] = s
			case "insert":
				if i = r.IntN(n + 1); tail == "" && (i == n && s == "" || n == 1) { // the second shows no line end
					continue
				}
				if beside := m.lines[max(0, i-1)]; isNumber(s) && (!isNumber(beside) || !strings.HasSuffix(beside, " ")) {
					s = strings.TrimRight(s, " ") // nothing beside it shows a blank
				}
				m.lines, m.ends = slices.Insert(m.lines, i, s), append(m.ends, end)
			case "delete":
				if n == 1 || tail == "" && i == n-1 && m.lines[n-2] == "" {
					continue
				}
				m.lines, m.ends = slices.Delete(m.lines, i, i+1), m.ends[:n-1]
			case "move":
				to := r.IntN(n)
				moved := slices.Insert(slices.Delete(slices.Clone(m.lines), i, i+1), to, m.lines[i])
				if tail == "" && moved[n-1] == "" {
					continue
				}
				m.lines, value = moved, strconv.Itoa(to)
			}
			got, err := changeLine(t, tr, op, int64(i), value)
			if want := m.text(tail); err != nil || string(got) != want {
				t.Fatalf("%q: %s %d %s: %v\n%q, want\n%q", was, op, i, value, err, got, want)
			}
		}
	}
}

// TestLinesPassed: lines that are passed many at a time are the ones that are read one by one, with their problems, and nearly all of
// plain ones are passed so.
func TestLinesPassed(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	words := []string{"", "5 ", "Mira", "\r", "x\x00y", "\x00", "ü", "\xff", strings.Repeat("long", 30)}
	for round := range 200 {
		kinds, text := words[:3+r.IntN(len(words)-2)], "1\n"
		for range 300 {
			text += kinds[r.IntN(len(kinds))] + []string{"\n", "\r\n"}[r.IntN(1+round%2)]
		}
		text += words[r.IntN(len(words))]
		events := func(passes bool) (ends []int64, problems []span.Problem, read int) {
			tr := simpletest.Open(t, gamemaker.Lines, []byte(text))
			if err := tr.BuildIndex(t.Context()); passes && err != nil {
				t.Fatal(err)
			}
			s := tr.Scanner()
			s.PassOrdinary, s.Report = passes, func(p span.Problem) { problems = append(problems, p) }
			for ev := s.Next(); ev != tree.Done; ev = s.Next() {
				read++
			}
			for r, i := tr.NewReader(), int64(0); ; i++ {
				n, err := r.Child(tr.Base, i)
				if err != nil {
					return append(ends, s.Pos()), problems, read
				}
				ends = append(ends, n.Head, n.End)
			}
		}
		ends, problems, _ := events(false)
		passedEnds, passedProblems, read := events(true)
		if !slices.Equal(ends, passedEnds) || !reflect.DeepEqual(problems, passedProblems) {
			t.Fatalf("%q: passed to %v, %v, one by one to %v, %v", text, passedEnds, passedProblems, ends, problems)
		}
		if len(kinds) <= 4 && read > 20 {
			t.Errorf("%d events for %d plain lines", read, len(ends)/2)
		}
	}
}

// TestLinesRefused refuses what would not be read back.
func TestLinesRefused(t *testing.T) {
	for literal, want := range map[string]string{
		`"a\nb"`: "at character 1: lines has no value for this", `"a\r"`: "at character 1: lines has no value for this",
		`[1, 2]`: "at character 1: lines has no value for this", "true": "at character 1: lines has no value for this", `"12"`: "the new value is number, the old one text",
	} {
		_, err := changeLine(t, simpletest.Open(t, gamemaker.Lines, []byte("a\nb\n")), "set", 0, literal)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", literal, err, want)
		}
	}
}
