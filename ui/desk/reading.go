package desk

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/ui/jobs"
)

// Reading is the background reading of whole buffers, followed by the diagnosis of their problems, one
// buffer at a time.
type Reading struct {
	Buffer   *model.Buffer   // the buffer being read or checked; nil if there is none
	Checking bool            // it has been read, and its problems are being diagnosed
	Waits    bool            // the file grows: nothing is read until it pauses
	After    <-chan struct{} // closed when reading may begin; nil for at once
	job      jobs.Job
}

// ReadOn reads the buffers that have not been read, innermost first, and then diagnoses their problems.
// It reads nothing of a document that is about to be replaced by one with more of its bytes unpacked.
func (d *Desk) ReadOn() tea.Cmd {
	if d.Reading.Waits || d.Doc.IsDeferred() && d.Opening.Runs() {
		return nil
	}
	for _, b := range slices.Backward(d.Doc.Buffers) {
		if _, done := b.Indexed(); !done {
			return d.read(b, false)
		}
	}
	if d.Reading.Buffer != nil {
		return nil
	}
	for _, b := range d.Doc.Buffers {
		if b.NeedsDiagnosis() {
			return d.read(b, true)
		}
	}
	return nil
}

// read reads or checks a buffer in the background, replacing any current reading.
func (d *Desk) read(b *model.Buffer, checking bool) tea.Cmd {
	d.stopReading()
	name, do, after := "reading", b.Index, d.Reading.After
	if checking {
		name, do = "checking", b.Diagnose
	}
	d.Reading.Buffer, d.Reading.Checking = b, checking
	return d.Start(&d.Reading.job, name, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		if after != nil {
			select {
			case <-after:
			case <-ctx.Done():
			}
		}
		err := do(ctx)
		return func() tea.Cmd { return d.hasRead(err) }
	})
}

// stopReading ends the reading.
func (d *Desk) stopReading() {
	d.Reading.job.Stop()
	d.Reading.Buffer = nil
}

// hasRead records that a buffer has been read, and continues with another.
func (d *Desk) hasRead(err error) tea.Cmd {
	d.Reading.Buffer = nil
	for _, l := range d.shown() {
		l.Explorer.Indexed()
	}
	if err != nil {
		return d.Report(err)
	}
	return d.ReadOn()
}

// ReadEdited reads again what an edit of the shown buffer requires. An earlier reading of it is stopped.
func (d *Desk) ReadEdited() tea.Cmd {
	b := d.Explorer.Buffer
	_, done := b.Indexed()
	switch {
	case d.Reading.Buffer == b && done:
		d.stopReading()
		return d.ReadOn()
	case d.Reading.Buffer == b, d.Reading.Buffer == nil && !done:
		return d.read(b, false)
	case d.Reading.Buffer == nil:
		return d.ReadOn()
	}
	return nil // it will be read in its turn
}
