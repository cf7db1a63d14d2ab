package message

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/span"
	"varview/decoder/network/variants"
)

// A Cursor reads a payload. What its methods read becomes a part. After something that cannot be read they
// do nothing and return zero.
type Cursor struct {
	Bytes    []byte
	At       int64
	Limit    int64 // nothing is read beyond it
	Parts    []Part
	Problems []span.Problem

	values *variants.Reader
	held   []variants.Value // memory of the lists of values
	names  map[string]string
	cut    variants.Value // what is there of the value that could not be read
	failed bool
}

// Begin makes the cursor read a payload from its beginning.
func (c *Cursor) Begin(b []byte, values *variants.Reader) {
	c.Bytes, c.At, c.Limit, c.values = b, 0, int64(len(b)), values
	c.Parts, c.Problems, c.held, c.failed = c.Parts[:0], nil, c.held[:0], false
	if values != nil {
		values.Use(b)
	}
}

// End makes the bytes that are left a gap. They are a problem if nothing else explains them.
func (c *Cursor) End() {
	c.Limit = int64(len(c.Bytes))
	rest := span.Between(c.At, c.Limit)
	if rest.Length == 0 {
		return
	}
	if !c.failed {
		c.Problems = append(c.Problems, span.Problem{Span: rest, Severity: span.Warning, Code: span.TrailingBytes,
			Message: span.BytesAre(rest.Length) + " left over after the end of the message"})
	}
	c.put(rest.Length, span.Gap, "gap")
}

// Rest makes the bytes that are left a gap with a problem.
func (c *Cursor) Rest(severity span.Severity, code, message string) {
	rest := span.Between(c.At, c.Limit)
	c.Problems = append(c.Problems, span.Problem{Span: rest, Severity: severity, Code: code, Message: message})
	c.put(rest.Length, span.Gap, "gap")
}

// Header reads bytes of the game's own before a value.
func (c *Cursor) Header(n int64) {
	at := c.At
	if b := c.take(n, span.Data, "header"); b != nil {
		p := BeforeValue(span.Between(at, c.At))
		if len(b) == 4 && int64(binary.LittleEndian.Uint32(b)) == c.Left() {
			p.Message += "; they are its length, as put_var of a StreamPeerBuffer writes it, and get_var of one reads it"
		}
		c.Problems = append(c.Problems, p)
	}
}

// BeforeValue returns the problem of bytes of the game's own before a value.
func BeforeValue(at span.Span) span.Problem {
	return span.Problem{Span: at, Severity: span.Error, Code: OwnHeader,
		Message: span.Bytes(at.Length) + " of the game's own before the value: get_var and bytes_to_var take them for its type"}
}

// SayCut says of a value whose bytes end too early that it is cut, once.
func (c *Cursor) SayCut() {
	isShortage := func(p span.Problem) bool { return p.IsShortage() && p.Severity == span.Error }
	i := slices.IndexFunc(c.Problems, isShortage)
	if i < 0 {
		return
	}
	p := c.Problems[i]
	if p.Message = "the value is cut, or a length in it is wrong: " + p.Message; p.Code == span.LengthOverrun {
		p.Code = span.Truncated
	}
	c.Problems = append(slices.DeleteFunc(c.Problems, isShortage), p)
}

// Cut returns what is there of the value that could not be read.
func (c *Cursor) Cut() []variants.Value { return []variants.Value{c.cut} }

// Failed reports whether something could not be read.
func (c *Cursor) Failed() bool { return c.failed }

// Left returns the number of bytes that are left.
func (c *Cursor) Left() int64 { return c.Limit - c.At }

// Fail records why the message cannot be read. Only the first reason is kept.
func (c *Cursor) Fail(at span.Span, code, message string) {
	if !c.failed {
		c.Problems = append(c.Problems, span.Problem{Span: at, Severity: span.Error, Code: code, Message: message})
	}
	c.failed = true
}

// Warn adds a problem after which reading goes on.
func (c *Cursor) Warn(at span.Span, code, message string) {
	if !c.failed {
		c.Problems = append(c.Problems, span.Problem{Span: at, Severity: span.Warning, Code: code, Message: message})
	}
}

// Add adds a part of n bytes, and goes on behind them.
func (c *Cursor) Add(role Role, n int64, kind span.Kind, label string) *Part {
	c.Parts = append(c.Parts, Part{Field: span.Field{Span: span.Span{Offset: c.At, Length: n}, Kind: kind, Label: label}, Role: role})
	c.At += n
	return &c.Parts[len(c.Parts)-1]
}

// put adds a field of n bytes, if there are any.
func (c *Cursor) put(n int64, kind span.Kind, label string) []byte {
	at := c.At
	if n > 0 {
		c.Add(Field, n, kind, label)
	}
	return c.Bytes[at:c.At]
}

// take reads n bytes; nil if there are fewer.
func (c *Cursor) take(n int64, kind span.Kind, label string) []byte {
	if c.failed {
		return nil
	}
	if left := c.Left(); n > left {
		c.Fail(span.Between(c.At, c.Limit), span.Truncated, fmt.Sprintf("the %s is cut: %s of %d left", label, span.BytesAre(left), n))
		return nil
	}
	return c.put(n, kind, label)
}

// number reads a little-endian number of n bytes.
func (c *Cursor) number(n int64, kind span.Kind, label string) (x uint64) {
	for i, b := range c.take(n, kind, label) {
		x |= uint64(b) << (8 * i)
	}
	return x
}

// U8 reads a number of one byte.
func (c *Cursor) U8(kind span.Kind, label string) uint8 { return uint8(c.number(1, kind, label)) }

// U16 reads a little-endian number.
func (c *Cursor) U16(kind span.Kind, label string) uint16 { return uint16(c.number(2, kind, label)) }

// U32 reads a little-endian number.
func (c *Cursor) U32(kind span.Kind, label string) uint32 { return uint32(c.number(4, kind, label)) }

// U64 reads a little-endian number.
func (c *Cursor) U64(kind span.Kind, label string) uint64 { return c.number(8, kind, label) }

// Means sets the meaning of the last field read, a constant text.
func (c *Cursor) Means(text string) {
	if n := len(c.Parts); n > 0 && !c.failed {
		c.Parts[n-1].Means = text
	}
}

// Last returns the span of the last part read; none if something could not be read.
func (c *Cursor) Last() span.Span {
	if n := len(c.Parts); n > 0 && !c.failed {
		return c.Parts[n-1].Span
	}
	return span.Span{}
}

// Data reads all bytes up to the limit.
func (c *Cursor) Data(label string) []byte { return c.take(max(0, c.Left()), span.Data, label) }

// Fixed reads a text of n bytes.
func (c *Cursor) Fixed(n int64, label string) string {
	b := c.take(n, span.Text, label)
	if !utf8.Valid(b) {
		c.Warn(c.Last(), span.InvalidUTF8, "the text is not valid UTF-8")
	}
	return c.name(b)
}

// Text reads a text that ends with a NUL or, if open is set, at the limit.
func (c *Cursor) Text(label string, open bool) string {
	if c.failed {
		return ""
	}
	n := int64(bytes.IndexByte(c.Bytes[c.At:c.Limit], 0))
	if n < 0 && !open {
		c.Fail(span.Between(c.At, c.Limit), NoTerminator, "the "+label+" has no NUL at its end")
		return ""
	}
	if n < 0 {
		n = c.Left()
	}
	text := c.Fixed(n, label)
	if c.At < c.Limit {
		c.put(1, span.Terminator, "terminator")
	}
	return text
}

// Terminator reads the NUL after a text of known length.
func (c *Cursor) Terminator() {
	if b := c.take(1, span.Terminator, "terminator"); b != nil && b[0] != 0 {
		c.Fail(c.Last(), NoTerminator, "the text has no NUL at its end")
	}
}

// maxNames is the largest number of names that are kept, so that each is in memory once.
const maxNames = 4 << 10

// name returns bytes as a string.
func (c *Cursor) name(b []byte) string {
	if s, ok := c.names[string(b)]; ok {
		return s
	}
	if c.names == nil || len(c.names) >= maxNames {
		c.names = map[string]string{}
	}
	s := string(b)
	c.names[s] = s
	return s
}

// Until calls read with a limit at an offset. What read leaves before that is a gap.
func (c *Cursor) Until(end int64, read func()) {
	limit := c.Limit
	c.Limit = min(limit, end)
	read()
	if rest := c.Left(); rest > 0 && !c.failed {
		c.Warn(span.Between(c.At, c.Limit), span.TrailingBytes, span.BytesAre(rest)+" left over before what follows")
		c.put(rest, span.Gap, "gap")
	}
	c.Limit = limit
}

// List begins a list, which EndList ends.
func (c *Cursor) List(name string) { c.Add(Open, 0, 0, name) }

// EndList ends the list begun last, and leaves it out if it is empty.
func (c *Cursor) EndList() {
	if last := len(c.Parts) - 1; c.Parts[last].Role == Open || c.Parts[last].Role == Layer {
		c.Parts = c.Parts[:last]
		return
	}
	c.Add(Close, 0, 0, "")
}

// next reads a value of a list.
func (c *Cursor) next(short bool) {
	next := c.values.Next
	if short {
		next = c.values.NextShort
	}
	v, ok := next(c.At, c.Limit, func(p span.Problem) { c.Problems = append(c.Problems, p) })
	if c.failed = !ok; ok {
		c.add(v)
	} else {
		c.cut = v
	}
}

// Values reads values up to the limit as a named list.
func (c *Cursor) Values(name string, short bool) []variants.Value {
	return c.list(name, short, func(int) bool { return c.Left() > 0 })
}

// Args reads n values as a named list. The count is in the last part read.
func (c *Cursor) Args(name string, n int, short bool) []variants.Value {
	counted := c.Last()
	return c.list(name, short, func(have int) bool {
		if have < n && c.Left() <= 0 {
			c.Fail(counted, BadCount, fmt.Sprintf("%s counted, but %s there", span.Counted(int64(n), "argument"), are(have)))
		}
		return have < n
	})
}

func are(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// Unmarked reads what is left as a named list: nothing, or a PackedByteArray with only its bytes.
func (c *Cursor) Unmarked(name string) []variants.Value {
	from := len(c.held)
	c.List(name)
	if c.Left() > 0 && !c.failed {
		c.add(variants.Value{Span: span.Between(c.At, c.Limit), Form: variants.Unmarked})
	}
	c.EndList()
	return c.since(from)
}

// since returns the values read after the first from.
func (c *Cursor) since(from int) []variants.Value { return c.held[from:len(c.held):len(c.held)] }

// Value reads a named value. ok is false if it cannot be read.
func (c *Cursor) Value(name string) (v []variants.Value, ok bool) {
	from := len(c.held)
	if c.next(false); c.failed {
		return nil, false
	}
	c.Parts[len(c.Parts)-1].Label = name
	return c.since(from), true
}

// A Mark is where a cursor is, to return there.
type Mark struct {
	At                    int64
	parts, problems, held int
}

// Place returns where the cursor is, which has not failed.
func (c *Cursor) Place() Mark { return Mark{c.At, len(c.Parts), len(c.Problems), len(c.held)} }

// Return takes the cursor back.
func (c *Cursor) Return(to Mark) {
	c.At, c.failed = to.At, false
	c.Parts, c.Problems, c.held = c.Parts[:to.parts], c.Problems[:to.problems], c.held[:to.held]
}

// add adds a value to the list that is being read.
func (c *Cursor) add(v variants.Value) {
	c.held = append(c.held, v)
	kind := span.Value
	if v.Form == variants.Unmarked {
		kind = span.Data
	}
	c.Add(Value, v.Length, kind, "").Form = v.Form
}

func (c *Cursor) list(name string, short bool, more func(have int) bool) []variants.Value {
	if c.failed {
		return nil
	}
	c.List(name)
	from := len(c.held)
	for !c.failed && more(len(c.held)-from) && !c.failed {
		c.next(short)
	}
	c.EndList()
	return c.since(from)
}

// Codes of problems in messages.
var (
	NoTerminator     = span.AddCode(&Codes, "no-terminator", span.Error, "a path or name of a message without the NUL that ends it")
	UnknownKind      = span.AddCode(&Codes, "unknown-message", span.Error, "a message of a kind that the engine does not have")
	BadOffset        = span.AddCode(&Codes, "bad-path-offset", span.Error, "the offset of a call's path is not in the message")
	BadCount         = span.AddCode(&Codes, "argument-count", span.Error, "a call counts more arguments than it has")
	UnknownPath      = span.AddCode(&Codes, "unknown-path-id", span.Warning, "an id to which no earlier message of the capture has assigned a path")
	RepeatedPath     = span.AddCode(&Codes, "repeated-path-id", span.Warning, "an id that already stands for another path")
	UnknownNode      = span.AddCode(&Codes, "unknown-net-id", span.Warning, "the number of a node that no earlier message of the capture has spawned")
	BadWidth         = span.AddCode(&Codes, "bad-id-width", span.Error, "a call whose node id has no known width")
	BadRelay         = span.AddCode(&Codes, "bad-relay", span.Error, "a relayed message that must not be relayed")
	RefusedCall      = span.AddCode(&Codes, "refused-call", span.Error, "a call that no script of the game allows: of a method that is not there, with another number of arguments, or by a peer that may not call it")
	DigestDiffers    = span.AddCode(&Codes, "methods-differ", span.Error, "sender and receiver of calls have different methods on a node")
	OwnHeader        = span.AddCode(&Codes, "bytes-before-value", span.Error, "bytes of the game's own before each value of a flow, which get_var takes for its type")
	SeveralValues    = span.AddCode(&Codes, "several-values", span.Warning, "several values in one packet: bytes_to_var reads only the first")
	MixedEngines     = span.AddCode(&Codes, "mixed-engines", span.Error, "one side of a flow sends Variants or calls of Godot 3, the other those of Godot 4")
	MixedProtocols   = span.AddCode(&Codes, "mixed-protocols", span.Error, "one side of a flow uses the multiplayer API, the other sends values without it")
	UnconfirmedPath  = span.AddCode(&Codes, "unconfirmed-path", span.Error, "a path that its receiver never confirms: the node is not there")
	SyncAfterDespawn = span.AddCode(&Codes, "sync-after-despawn", span.Warning, "a sync or delta of a node that its sender has despawned before")
	UnknownScene     = span.AddCode(&Codes, "unknown-scene", span.Error, "a spawn of a scene that its MultiplayerSpawner does not list in the project")
	RelayOff         = span.AddCode(&Codes, "relay-off", span.Note, "a server does not tell its clients of each other: server_relay is off, and they cannot call each other")
	OldConfirmation  = span.AddCode(&Codes, "old-confirmation", span.Error, "confirmations of paths in the form of Godot 4.0 to 4.2 in a session of a later version")
	Forgotten        = span.AddCode(&Codes, "state-forgotten", span.Note, "more flows and paths than are remembered: what an id stands for may be missing from here on")
)

// Codes describes them.
var Codes []span.Code
