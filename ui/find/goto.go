package find

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/model/explore"
	"varview/ui/desk"
)

// GoTo goes to an offset, decimal or hexadecimal with 0x, or to a path. A path that stands for many
// values is searched for, so that n continues.
func (f *Find) GoTo(where string) tea.Cmd {
	if where == "" {
		return f.Report(errors.New(":goto needs an offset or a path, as in :goto 0x1f4 or :goto $.player"))
	}
	if name, ok := strings.CutPrefix(where, "'"); ok {
		return f.goToMark(name)
	}
	if strings.HasPrefix(where, ".") && !strings.HasPrefix(where, "..") { // the first one with this name
		where = "." + where
	}
	if where[0] < '0' || where[0] > '9' {
		if f.Explorer.Buffer.IsWrapper() {
			return f.Report(errors.New("a wrapper has no paths: > goes to its content, :goto 0x10 to a byte of it"))
		}
		if !tree.HasConditions(where) {
			return f.GoToPath(where)
		}
		q, err := f.parse("path:"+where, false)
		if err != nil {
			return f.Report(err)
		}
		return f.Find(q)
	}
	off, err := strconv.ParseInt(where, 0, 64)
	switch {
	case err != nil:
		f.Report(fmt.Errorf("%q is not an offset: a number like 500 or 0x1f4", where))
	case off >= f.Explorer.Buffer.Size():
		f.Report(fmt.Errorf("offset %#x is after the last byte, %#x", off, max(0, f.Explorer.Buffer.Size()-1)))
	default:
		f.Explorer.Leap()
		f.Focus = desk.OnBytes
		f.GoToByte(off)
	}
	return nil
}

// GoToPath selects the value at a path.
func (f *Find) GoToPath(path string) tea.Cmd {
	return f.Resolve(path, func(n *tree.Node) tea.Cmd {
		f.Explorer.Leap()
		return f.Report(f.Explorer.GoToValue(n))
	})
}

// GoToBuffer shows a buffer by its number.
func (f *Find) GoToBuffer(number string) tea.Cmd {
	n, err := strconv.Atoi(number)
	last := len(f.Doc.Buffers) - 1
	switch {
	case err != nil || n < 0:
		f.Report(errors.New(":buffer needs a number, as in :buffer 0"))
	case n > last && last == 0:
		f.Report(errors.New("there is only buffer 0, the file itself"))
	case n > last:
		f.Report(fmt.Errorf("there are buffers 0 to %d", last))
	default:
		f.LeapTo(f.Doc.Buffers[n])
	}
	return nil
}

// Back returns to where the last jump began.
func (f *Find) Back() tea.Cmd {
	return f.jump(f.Explorer.Back, "there is no place to go back to")
}

// Forward undoes Back.
func (f *Find) Forward() tea.Cmd {
	return f.jump(f.Explorer.Forward, "there is no place to go forward to")
}

func (f *Find) jump(jump func(explore.Show) (ok bool, err error), none string) (cmd tea.Cmd) {
	from := f.Explorer
	ok, err := jump(func(x *explore.Explorer) (shown bool, err error) {
		cmd, shown, err = f.Program.Show(x)
		return shown, err
	})
	switch {
	case err != nil:
		f.Report(err)
	case !ok:
		f.Say(none)
	case f.Explorer != from: // it has kept its focus
	case f.Explorer.InBytes():
		f.SetFocus(desk.OnBytes)
	default:
		f.SetFocus(desk.OnTree)
	}
	return cmd
}

// NextReference goes to the next reference to the selected value.
func (f *Find) NextReference() {
	if f.Focus == desk.OnBytes {
		f.SetFocus(desk.OnTree)
	}
	i, all, err := f.Explorer.NextReferrer()
	_, indexed := f.Doc.Indexed()
	switch {
	case err != nil:
		f.Report(err)
	case all == 0 && !f.Explorer.CountsReferences():
		f.Say("what refers to this is not known; / finds references by their type")
	case all == 0 && indexed:
		f.Say("nothing refers to this")
	case all == 0:
		f.Say("nothing refers to this so far; the file is still being read")
	case all == 1:
		f.Say("the only reference; ctrl+o goes back")
	default:
		f.Say(fmt.Sprintf("reference %d of %d; * goes to the next, ctrl+o back", i, all))
	}
}
