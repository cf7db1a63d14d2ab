// Package packets prints the messages of network captures.
package packets

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/model/messages"
	"varview/model/records"
	"varview/model/search"
	"varview/model/sheet"
	"varview/model/sheet/parquetfile"
)

// Options says what is printed of a capture.
type Options struct {
	messages.Options
	JSON    bool
	Stats   bool
	Wait    bool // wait for more packets at the end of the capture
	Follow  int  // number of a flow; 0 for all
	Extract int  // number of the message whose payload is written to Output; -1 for none
	Output  flags.Output
	Parquet flags.Output // "" for none

	Flows   bool          // the conversations, instead of the messages
	Every   time.Duration // divides these by time; 0 for the whole capture
	CSV     bool
	Fold    bool     // without copies that a server passes on
	Silent  bool     // no message is printed
	Columns []string // names of columns; nil for the usual ones
}

// Run reads a capture and prints the messages that match a query; "" matches all.
func Run(ctx context.Context, e *env.Env, name, query string, o Options) error {
	p, err := newPrinter(e, name, query, o)
	if err != nil {
		return err
	}
	if o.Parquet.Path != "" {
		if err := o.Parquet.Check(name); err != nil {
			return err
		}
		if p.rows, err = sheet.New(); err != nil {
			return err
		}
		defer p.rows.Close()
	}
	in, err := e.OpenInput(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	var all io.Reader = in
	if o.Wait {
		all = waiter{ctx, in}
	}
	if err := p.read(ctx, all, o.Wait || !isRegular(in)); err != nil {
		p.out.Flush()
		return fmt.Errorf("%s: %w", env.DisplayName(name), source.Plain(err))
	}
	switch {
	case o.Extract >= 0:
		return p.extract(ctx, e, name)
	case p.rows != nil:
		if err := p.parquet(ctx, e); err != nil {
			return err
		}
	}
	return p.end()
}

// isRegular reports whether an input is a regular file, which is never late.
func isRegular(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && openfile.IsRegular(info.Mode())
}

// A waiter is a file that grows.
type waiter struct {
	ctx context.Context
	io.Reader
}

// pause is how long a waiter waits before it looks again.
const pause = 200 * time.Millisecond

// Read implements io.Reader; it never reaches an end.
func (w waiter) Read(p []byte) (int, error) {
	for {
		n, err := w.Reader.Read(p)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		select {
		case <-w.ctx.Done():
			return 0, w.ctx.Err()
		case <-time.After(pause):
		}
	}
}

// newPrinter returns a printer for the capture with a name.
func newPrinter(e *env.Env, name, query string, o Options) (*printer, error) {
	p := &printer{Options: o, tell: func(x *payload.Problem) {
		e.Tell("%s: %#x: %s (%s)", env.DisplayName(name), x.Offset, x.Message, x.Code)
	}}
	if query != "" {
		q, err := messages.ParseQuery(query)
		if err != nil {
			return nil, fmt.Errorf("query: %w", err)
		}
		p.query = &q
	}
	var err error
	if p.Methods, err = e.Methods(name); err != nil {
		return nil, err
	}
	colors := e.ForPeople(e.Stdout)
	if o.JSON {
		colors = e.Stdout
	}
	p.out = bufio.NewWriterSize(colors, 64<<10)
	p.table = &table{out: p.out, width: e.TerminalWidth()}
	p.flows.every = o.Every
	names := o.Columns
	if names == nil {
		names = defaultColumns
	}
	p.table.columns, err = chosen(names)
	return p, err
}

// A printer prints messages.
type printer struct {
	Options
	query   *search.Query
	out     *bufio.Writer
	table   *table
	stats   records.Stats
	flows   flows
	copies  records.Copies
	folded  int64
	line    []byte
	found   int
	payload []byte      // the extracted payload
	rows    *sheet.Rows // for Parquet, or nil

	tell func(*payload.Problem)
	err  error
}

// errEnough ends the reading of a capture.
var errEnough = errors.New("enough was read")

// read reads a capture. A live one may pause; what is held back is printed all the same.
func (p *printer) read(ctx context.Context, in io.Reader, isLive bool) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	end := func(err error) {
		p.err = err
		stop(errEnough)
	}
	h := newHold(messages.NewReader(p.Options.Options, p.each(end)), p.out)
	defer h.close()
	summary, err := h.read(ctx, in, isLive)
	if p.err != nil && !errors.Is(p.err, errEnough) {
		return p.err
	}
	if errors.Is(context.Cause(ctx), errEnough) {
		return nil
	}
	if err == nil {
		err = p.noFlow(summary.Flows)
	}
	return err
}

// noFlow returns an error if a flag names a flow that does not exist in a capture with a number of flows.
func (o *Options) noFlow(flows int) error {
	most := o.Follow
	for n := range o.Transports {
		most = max(most, n)
	}
	for n := range o.Protocols {
		most = max(most, n)
	}
	if most > flows {
		return fmt.Errorf("there is no flow %d; the capture has %s", most, span.Counted(int64(flows), "flow"))
	}
	return nil
}

// each returns the handlers of messages and problems. They call end when reading is to stop.
func (p *printer) each(end func(error)) messages.Each {
	return messages.Each{
		Packet: p.flows.packet,
		Flow:   p.flows.begin,
		Message: func(m *message.Message) {
			if !p.shows(m) {
				return
			}
			if err := p.message(m); err != nil {
				end(err)
			}
		},
		Problem: func(x *payload.Problem) {
			switch {
			case p.err != nil:
			case x.Frame == 0: // about the file as a whole
				p.tell(x)
			case p.JSON || p.CSV || p.Flows || p.rows != nil || p.Stats || p.Extract >= 0: // "varview check" lists them all
			case p.query != nil && !p.query.Holds(x), p.Follow > 0 && (x.Flow == nil || x.Flow.Number != p.Follow):
			default:
				if p.query != nil {
					p.found++
				}
				if err := p.table.problem(x); err != nil {
					end(err)
				}
			}
		},
	}
}

// shows reports whether a message is among those asked for, and counts it if it is.
func (p *printer) shows(m *message.Message) bool {
	p.table.begin(m)
	if p.err != nil || p.Follow > 0 && m.Payload.Flow.Number != p.Follow || p.query != nil && !p.query.Holds(m) {
		return false
	}
	if p.Fold && p.copies.Has(m.Deed().Copy) {
		p.folded++
		return false
	}
	p.found++
	return true
}

// message prints a message, or counts it.
func (p *printer) message(m *message.Message) error {
	switch {
	case p.Extract >= 0:
		if m.Number != p.Extract {
			p.found--
			return nil
		}
		p.payload = append([]byte{}, m.Payload.Bytes...)
		return errEnough
	case p.Flows:
		p.flows.message(m)
		return nil
	case p.Stats:
		p.stats.Add(m.Number, m)
		return nil
	case p.rows != nil:
		row, err := sheet.FromJSON(m.AppendJSON(nil))
		return cmp.Or(err, p.rows.Add(row))
	case p.JSON:
		p.line = append(m.AppendJSON(p.line[:0]), '\n')
		_, err := p.out.Write(p.line)
		return err
	case p.CSV:
		return p.table.csvRow(m)
	case p.Follow > 0:
		return p.table.whole(m)
	}
	return p.table.message(m, p.query != nil)
}

// end prints what is left.
func (p *printer) end() error {
	if p.folded > 0 {
		fmt.Fprintf(p.out, "     ·  copies that the server passes on, left out: %s\n", span.Grouped(p.folded))
	}
	if p.Flows {
		rows := p.flows.rows()
		if err := writeFlows(p.out, rows, &p.Options); err != nil {
			return err
		}
		p.found = len(rows)
	} else if p.Stats && p.JSON {
		for _, g := range p.stats.Groups() {
			p.out.Write(appendLine(nil, g))
		}
	} else if p.Stats {
		writeStats(p.out, &p.stats)
	}
	if err := p.out.Flush(); err != nil {
		return err
	}
	if p.found == 0 {
		return env.ErrProblems
	}
	return nil
}

// parquet writes the messages as rows.
func (p *printer) parquet(ctx context.Context, e *env.Env) error {
	s, err := p.rows.Sheet(ctx)
	if err != nil {
		return err
	}
	return e.WriteOut(ctx, p.Parquet, func(ctx context.Context, out io.Writer) error {
		return parquetfile.Write(ctx, out, s, nil)
	})
}

// extract writes the payload of a message to a file.
func (p *printer) extract(ctx context.Context, e *env.Env, name string) error {
	if p.found == 0 {
		return fmt.Errorf("%s: there is no message %d; \"varview packets\" lists their numbers", env.DisplayName(name), p.Extract)
	}
	return e.WriteOut(ctx, p.Output, func(_ context.Context, out io.Writer) error {
		_, err := out.Write(p.payload)
		return err
	})
}

// appendLine appends a value of texts and numbers as a line of JSON.
func appendLine(dst []byte, v any) []byte {
	out := bytes.NewBuffer(dst)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return out.Bytes()
}

// withFaults adds to the line of a message what was done to its packets.
func withFaults(line []byte, faults []string) []byte {
	if len(faults) == 0 {
		return line
	}
	line = appendLine(append(bytes.TrimSuffix(line, []byte("}\n")), `,"faults":`...), faults)
	return append(bytes.TrimSuffix(line, []byte("\n")), "}\n"...)
}
