package edits

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/expression"
	"varview/model/sorting"
	"varview/model/table"
	"varview/ui/dialog"
)

// setAll is :set with a path for many values, with & for those that a filter leaves, or with an
// expression on the old value. It says how many values would change, and asks. again repeats it.
func (e *Values) setAll(path, value string, again func() tea.Cmd) tea.Cmd {
	intend, what := func(o edit.Options) model.Intention { return e.Explorer.SetAll(path, value, o) }, path
	if path == hitsOfFilter {
		hits := e.Explorer.Filter()
		if hits == nil {
			return e.Report(errors.New(":set &= sets the values that a filter leaves: first type & and a query"))
		}
		q := hits.Query
		intend, what = func(o edit.Options) model.Intention { return e.Explorer.SetFound(q, value, o) }, "the filter"
	}
	r := Request{Intend: intend, Again: again}
	r.Ask = func(p *model.Prepared) bool {
		n := p.Values()
		if n < 2 {
			return false
		}
		e.Ask(fmt.Sprintf("change %s?", span.Counted(int64(n), "value")), "nothing was changed",
			dialog.Answer{Key: "y", Does: "change them", Run: func() tea.Cmd {
				return e.prepared(Request{Again: again, Done: func() { e.Say("set all values of " + what + "; u undoes it") }}, p, nil)
			}})
		return true
	}
	return e.Make(r)
}

// hitsOfFilter stands for the values that a filter leaves, instead of a path.
const hitsOfFilter = "&"

// ImportCSV is :import-csv FILE: it imports the values of a CSV file into the selected container.
func (e *Values) ImportCSV(name string) tea.Cmd {
	n, err := e.entry()
	if name == "" {
		err = errors.New(":import-csv needs a FILE, as varview table --csv writes it, for the selected container")
	}
	if err != nil {
		return e.Report(err)
	}
	b, err := source.ReadRegular(name, table.MaxCSV)
	if err != nil {
		return e.Report(fmt.Errorf("%s: %w", name, err))
	}
	return e.Make(Request{Intend: func(o edit.Options) model.Intention { return e.Explorer.ImportCSV(n, b, o) }})
}

// Sort is :sort [STEPS] [desc] [unique]: it sorts the children of the selected container.
func (e *Values) Sort(arg string) tea.Cmd {
	n, err := e.entry()
	if err != nil {
		return e.Report(err)
	}
	return e.Make(Request{Intend: func(o edit.Options) model.Intention { return e.Explorer.Sort(n, sortingOf(arg), o) }})
}

// sortingOf parses the argument of :sort.
func sortingOf(arg string) (s sorting.Order) {
	for _, word := range strings.Fields(arg) {
		switch word {
		case "desc":
			s.Descending = true
		case "unique":
			s.Unique = true
		default:
			s.By = word
		}
	}
	return s
}

// isBulk reports whether a change is one of many values, or calculates with the old one.
func isBulk(path, value string) bool {
	return path == hitsOfFilter || tree.IsPattern(path) || expression.Is(value)
}
