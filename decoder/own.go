package decoder

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"varview/decoder/detect"
	"varview/decoder/diagnose"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
	"varview/decoder/wrap"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/own"
)

// An ownPlace is what was found between a header and a trailer of the game's own.
type ownPlace struct {
	*detect.Place
	packed wrap.Kind // of what is there; nil for values, or what can be detected again
}

// An ownSearch looks, once, for a header or trailer of the game's own around what can be read in a region, which is
// not read well as a whole.
type ownSearch struct {
	*Document
	src    source.Source
	region span.Span
	o      *Options
	layers int // around the region
	isDone bool
	found  ownPlace
}

// look is a detect.Look. Where damage is of no interest, it always finds something likelier.
func (s *ownSearch) look(ctx context.Context, is *detect.Result) (*detect.Place, error) {
	if err := s.search(ctx, is); err != nil || s.found.Place != nil || !s.o.Sound {
		return s.found.Place, err
	}
	return &detect.Place{}, nil
}

func (s *ownSearch) search(ctx context.Context, is *detect.Result) error {
	d, o := s.Document, s.o
	if s.isDone || !s.mayBe() {
		return nil
	}
	s.isDone = true
	if head, tail := s.measured(ctx); head+tail > 0 {
		s.found.Place = &detect.Place{Head: head, Tail: tail, Surprise: detect.PackedSurprise(nil, nil, 0)}
		return nil
	}
	if trusted, err := is.IsTrusted(ctx); trusted || err != nil {
		return err
	}
	if s.isApart(ctx) {
		return nil
	}
	head := bytes.Clone(source.NewWindow(s.src).View(s.region.Offset, min(s.region.Length, detect.MostBlock)))
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(head, mark) && checksum.HeldIn(s.src, span.Between(s.region.Offset+int64(len(mark)), s.region.End())) == 0 {
		return nil // a byte order mark is an editor's, and named as such, unless a checksum leaves it out
	}
	offsets := detect.Offsets(head, wrap.Signatures()...)
	r := o.request()
	r.InFile = true
	best, err := families().Behind(ctx, s.src, s.region, r, is, offsets, detect.Around{IsTail: isOwnTail, Checked: checksum.HeldIn, Fitting: fitting})
	if err != nil {
		return err
	}
	s.found.Place = best
	if best == nil || best.Head > 0 {
		packed, err := d.packedBehind(ctx, s.src, s.region, s.region.End(), append([]int64{0}, offsets...), o)
		if err != nil {
			return err
		}
		if packed != nil && packed.LikelierThan(best) && !(packed.packed.IsText() && packed.Head > 0 && areMoreDigits(head[:packed.Head], packed.packed)) {
			s.found = *packed
		}
	}
	return nil
}

// isApart finds values that stand apart from the game's bytes without a search: before a byte that measures them, beside a CRC-16, or each
// behind its own.
func (s *ownSearch) isApart(ctx context.Context) bool {
	for _, p := range []detect.Place{{Tail: own.MeasuringRest(s.src, s.region, false)}, {Head: own.MeasuringRest(s.src, s.region, true)}} {
		rest := span.Between(s.region.Offset+p.Head, s.region.End()-p.Tail)
		if p.Head != 1 && rest.Length < s.region.Length && families().IsSound(ctx, source.Join(source.Piece{Src: s.src, Span: rest})) {
			p.Surprise = detect.PackedSurprise(nil, nil, 0)
			s.found.Place = &p
			return true
		}
	}
	if s.isBehindLine(ctx) {
		return true
	}
	head, tail := piecesBehind(ctx, s.src, s.region)
	if head >= 0 {
		s.found = ownPlace{&detect.Place{Head: head, Tail: tail, Surprise: detect.PackedSurprise(nil, nil, 0)}, own.Pieces(piecesIn)}
	}
	return head >= 0
}

// isBehindLine finds what is sound behind a first line of JSON, or plain lines before an empty one, which a reader would take for a part of it.
func (s *ownSearch) isBehindLine(ctx context.Context) bool {
	first := source.NewWindow(s.src).View(s.region.Offset, min(s.region.Length, detect.MostAhead))
	line, _, _ := bytes.Cut(first, []byte("\n"))
	n := int64(len(line) + 1)
	if !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
		n = int64(len(plainLines().Find(first)))
	}
	rest := span.Between(s.region.Offset+n, s.region.End())
	if n == 0 || n >= int64(len(first)) {
		return false
	}
	if families().IsSound(ctx, source.Join(source.Piece{Src: s.src, Span: rest})) {
		s.found.Place = &detect.Place{Head: n, Surprise: detect.PackedSurprise(nil, nil, 0)}
	} else if packed, _ := s.packedBehind(ctx, s.src, s.region, s.region.End(), []int64{n}, s.o); packed != nil {
		s.found = *packed
	}
	return s.found.Place != nil
}

// plainLines are lines of keys and words: quotes and brackets are those of damaged values.
var plainLines = lazy.Regexp(`^(?:\w+ *[=:] *[\w.+-]*\r?\n)+\r?\n`)

// fitting returns how many numbers and checksums in a header and a trailer of some bytes fit what is between them, and how many
// of these are checksums.
func fitting(ctx context.Context, src source.Source, r span.Span, head, tail int64) (all, sums int, err error) {
	followers, err := own.Following(ctx, src, r, head, tail, wrap.Inner{})
	for _, f := range followers {
		if f.IsSum {
			sums++
		}
	}
	return len(followers), sums, err
}

// measured returns the sizes of a header and a trailer that would be blanks or a value of a text otherwise: a size of the text, or a
// checksum. A single blank is one byte of either; a line feed at the end is that of a line.
func (s *ownSearch) measured(ctx context.Context) (head, tail int64) {
	const blanks, brackets, least = " \t\r\n", "{[", 4
	win, n := source.NewWindow(s.src), s.region.Length
	if n < least {
		return 0, 0
	}
	first, second := win.Byte(s.region.Offset), win.Byte(s.region.Offset+1)
	last, before := win.Byte(s.region.End()-1), win.Byte(s.region.End()-2)
	switch {
	case strings.IndexByte(blanks, first) >= 0 && strings.IndexByte(brackets, second) >= 0 && own.MeasuringRest(s.src, s.region, true) == 1:
		return 1, 0
	case strings.IndexByte(brackets, first) < 0:
		return 0, 0
	case strings.IndexByte(blanks[:3], last) >= 0 && strings.IndexByte("}]", before) >= 0 && own.MeasuringRest(s.src, s.region, false) == 1:
		return 0, 1
	}
	return 0, measuredTail(ctx, s.src, s.region, 0, 0)
}

// mayBe reports whether a header may be looked for: the options do not say how the bytes are read, and there is none yet. A
// header within a header is chance.
func (s *ownSearch) mayBe() bool {
	d, o := s.Document, s.o
	isSaid := o.Bare || o.Dialect != "" && o.Framing != "" || o.Input != "" || o.Described != nil
	return !isSaid && d.Missing == nil && len(d.Layers) < maxLayers && (len(d.Layers) == 0 || !own.Is(d.Layers[len(d.Layers)-1].Kind))
}

// findOwn returns the wrappers to open: that of a header and trailer of the game's own, and those inside that the
// bytes alone do not show; nil if there are none.
func (d *Document) findOwn(ctx context.Context, s *ownSearch) ([]wrap.Kind, error) {
	if d.weighed == nil || d.foreign != nil && !d.foreign.MayHold() && !wrap.IsSigned(s.src, s.region) {
		return nil, nil
	}
	_, err := s.look(ctx, d.weighed)
	best := s.found.Place
	if best == nil || err != nil {
		return nil, err
	}
	damage, err := d.weighed.Damage(ctx)
	if err != nil {
		return nil, err
	}
	better, near := best.Against(damage)
	if best.IsFramed {
		better, near = true, true
	} else if near {
		fit, sums, err := fitting(ctx, s.src, s.region, best.Head, best.Tail)
		if err != nil {
			return nil, err
		}
		if best.Head <= 4 { // a size may be that of a frame, which fits as well
			fit = sums
		}
		better, near = better || fit > 0, fit == 0
	}
	if !better {
		return nil, nil
	} else if near {
		if best.IsFramed || !d.weighed.FramesFit(s.region) {
			d.near = best
		}
		return nil, nil
	}
	d.Rival, d.isSound = best.Rival, !best.IsDamaged && s.found.packed == nil
	region, tail := s.region, best.Tail
	if s.found.packed == nil || tail > 0 {
		tail = measuredTail(ctx, s.src, region, best.Head, tail)
	}
	var kinds []wrap.Kind
	if best.Head+tail > 0 {
		kinds = append(kinds, own.Around(best.Head, tail))
	}
	if s.found.packed != nil {
		kinds = append(kinds, s.found.packed)
	}
	return kinds, nil
}

// measuredTail returns how many bytes at the end of a region are the game's own by numbers in them, or in a header of some bytes:
// zeros, a line of digits, or behind a header any last line, without which the size of the content or a checksum of it fits; of some that
// are known, all but line ends that are the content's.
func measuredTail(ctx context.Context, src source.Source, region span.Span, head, tail int64) int64 {
	win := source.NewWindow(src)
	from := max(region.Offset+head, region.End()-detect.MostTail)
	all := []int64{tail}
	for n := tail; n > 0 && isLineEnd(win.Byte(region.End()-n)); all = append(all, n) {
		n--
	}
	if tail == 0 {
		all = append(all, lastNumber(win.View(from, region.End()-from))...)
	}
	if tail == 0 && head > 0 {
		all = append(append(all, win.ZerosBefore(from, region.End())), lastLine(win.View(from, region.End()-from))...)
	}
	most := 0
	for i, n := range all {
		if head+n == 0 || slices.Contains(all[:i], n) {
			continue
		}
		followers, _ := own.Following(ctx, src, region, head, n, wrap.Inner{})
		followers = slices.DeleteFunc(followers, func(f own.Follower) bool { return !f.IsExact })
		if len(followers) > most {
			tail, most = n, len(followers)
		}
	}
	return tail
}

// lastLine lists the numbers of bytes of a last line, with the line ends before it or without: INI takes any line for a text that is ignored.
func lastLine(b []byte) (all []int64) {
	for at := bytes.LastIndexByte(bytes.TrimRight(b, "\r\n"), '\n') + 1; at > 0 && isLineEnd(b[at-1]); at-- {
		all = append(all, int64(len(b)-at))
	}
	return all
}

func isLineEnd(c byte) bool { return c == '\r' || c == '\n' }

// lastNumber lists the numbers of bytes of a last line that is one number, with what sets it apart from a text before it, of which line
// ends may be the text's own. There are none if it is no number.
func lastNumber(b []byte) (all []int64) {
	line := bytes.TrimRight(b, "\r\n")
	rest := bytes.TrimRight(line, "0123456789abcdefABCDEF")
	text := bytes.TrimRight(rest, "\r\n\t |#;:,")
	if digits := len(line) - len(rest); digits == 0 || len(text) == 0 || text[len(text)-1] < ' ' {
		return nil
	}
	for end := len(text); end < len(rest); end++ {
		if all = append(all, int64(len(b)-end)); !isLineEnd(b[end]) {
			break
		}
	}
	return all
}

// ownTail returns the number of bytes behind a packed file of which the values are sound, if they are like what games write
// there rather than filling; 0 for none.
func (d *Document) ownTail(ctx context.Context) (n int64, err error) {
	if d.Missing != nil || len(d.Layers) == 0 || d.IsForeign() || d.weighed == nil || !d.weighed.IsClean(d.Tree.Region) {
		return 0, nil
	}
	l := &d.Layers[0]
	if l.Kind.IsText() || own.IsBeside(l.Kind) || d.isList() { // packets are as many as the file holds
		return 0, nil
	}
	isOther, err := score.HasProblem(ctx, l.Tree, true, func(p *span.Problem) bool {
		if p.Code == span.TrailingBytes && p.End() == l.Region.End() {
			n = p.Length
		}
		return p.Code != span.TrailingBytes && p.Severity > span.Note
	})
	tail := source.NewWindow(l.Tree.Source).View(l.Region.End()-n, min(n, detect.MostTail))
	if isOther || n > detect.MostTail || len(bytes.Trim(tail, "\x00\r\n")) == 0 {
		return 0, err
	}
	return n, err
}

// isOwnTail reports whether bytes are such that games write them behind values without a header: zeros and
// line ends, what looks like a checksum, or a word that stands apart from values that end with a bracket. Four bytes are a length too,
// but for its first or last ones, which are zeros in one.
func isOwnTail(last byte, b []byte) bool {
	isApart := (last == '}' || last == ']') && len(b) > 0 && strings.IndexByte("\r\n|#", b[0]) >= 0
	isNumber := len(b) == 4 && checksum.IsRandom(b) && b[0] > 0 && b[3] > 0 && bytes.ContainsFunc(b, func(c rune) bool { return c < ' ' || c > '~' })
	return isNumber || len(bytes.Trim(b, "\x00\r\n")) == 0 || checksum.Resembles(bytes.TrimLeft(b, "|:.,;#")) != "" || isApart && isWord(b)
}

// packedBehind looks for packed bytes behind one of some offsets, and before a trailer, which begins at an offset or before it: bytes
// with a signature that can be unpacked to their end. Behind those that begin a region may be any number, as an older, longer save leaves
// them. There are none if a region is sound as a whole.
func (d *Document) packedBehind(ctx context.Context, src source.Source, region span.Span, end int64, offsets []int64, o *Options) (best *ownPlace, err error) {
	win := source.NewWindow(src)
	for _, n := range offsets {
		rest := span.Between(region.Offset+n, end)
		if rest.Length < leastPacked {
			break
		}
		if best != nil && best.packed.IsText() && areDigits(win.View(region.Offset+best.Head, n-best.Head)) {
			continue // a part of the digits that were found is a text of digits too
		}
		k, size, err := packedAt(ctx, src, rest, o)
		if err != nil {
			return nil, err
		}
		tail := region.End() - rest.Offset - size
		if k != nil && n+tail == 0 {
			return nil, nil
		}
		if filled := max(rest.Offset+size, region.End()-win.ZerosBefore(rest.Offset+size, region.End())); k != nil && (filled-rest.Offset-size <= min(size, detect.MostTail) || n == 0 && wrap.IsSigned(src, rest)) {
			head := bytes.Clone(win.View(region.Offset, n))
			p := detect.Place{Head: n, Tail: tail, Surprise: detect.PackedSurprise(head, win.View(region.End()-tail, tail), size)}
			if best == nil || p.Surprise < best.Surprise {
				best = &ownPlace{&p, k}
			}
		}
	}
	return best, ctx.Err()
}

const (
	leastPacked = 12       // bytes that a packed stream has at least
	mostPacked  = 64 << 20 // bytes of a file in which a stream that is unpacked as a whole is looked for
)

// packedAt returns the kind of the packed bytes at the beginning of a region, and their number; nil if there
// are none that can be unpacked.
func packedAt(ctx context.Context, src source.Source, region span.Span, o *Options) (k wrap.Kind, size int64, err error) {
	kinds := wrap.Sniff(src, region, "binary")
	if region.Length > mostPacked || o.Defer > 0 && region.Length > o.Defer {
		if len(kinds) > 0 && wrap.IsSigned(src, region) {
			return kinds[0], region.Length, nil
		}
		return nil, 0, nil
	}
	if len(kinds) == 0 {
		if k, size, err := wrap.Packed(src, region, min(o.MaxUnpacked, mostPacked)); k != nil || err != nil {
			return k, size, err
		}
		return digitsAt(ctx, src, region)
	}
	return packedAs(ctx, kinds[0], src, region, o)
}

// packedAs is packedAt for bytes that have the signature of a kind.
func packedAs(ctx context.Context, kind wrap.Kind, src source.Source, region span.Span, o *Options) (k wrap.Kind, size int64, err error) {
	l, err := wrap.Open(ctx, kind, src, region, wrap.Options{MaxUnpacked: o.MaxUnpacked})
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, err
	}
	defer l.Close()
	if l.Missing != nil && !needsKey(l.Missing.Code) || wrap.IsSecure(kind) && !families().IsSound(ctx, l.Payload) { // base64 is one at some offset
		return nil, 0, nil
	}
	size = region.Length
	bad, err := score.HasProblem(ctx, tree.New(src, l.Reading, region), true, func(p *span.Problem) bool {
		if p.Code == span.TrailingBytes {
			size = p.Offset - region.Offset
		}
		return p.Severity == span.Error && !needsKey(p.Code)
	})
	if bad || err != nil {
		return nil, 0, err
	}
	return kind, size, nil
}

// doubt notes that the repair of a problem may be wrong because bytes at the start or the end may be a game's
// own, another header does as well, what is there is sound if it is read otherwise, or what is read explains the bytes no better than
// chance. near is the header with which the values are read as well, for the first problem; nil if there is none.
func (d *Document) doubt(f *diagnose.Diagnosis, near *detect.Place) {
	at, t := f.Offset, d.Tree
	if d.Rival > 0 {
		near = &detect.Place{Head: d.Rival}
	} else if f.Code == textual.Comment && at == t.Region.Offset { // a line of the game's own is like one
		near = &detect.Place{Head: int64(textual.CommentLength(source.NewWindow(t.Source).View(at, min(detect.MostAhead, t.Region.Length))))}
		f.Guess = true
	}
	if near != nil {
		f.Message += fmt.Sprintf("; or the first %s are the game's own: --offset %d reads what follows", span.Bytes(near.Head), d.Tree.Region.Offset+near.Head)
	}
	f.Guess = f.Guess || d.near != nil || d.isSound && score.Of(&f.Problem) > 0 || d.Rival > 0 || isTail(t, f, false) || d.changesAll(f) || d.weighed != nil && d.weighed.IsDoubtful()
}

// changesAll reports whether a repair changes all bytes of several lengths, which damage hardly does.
func (d *Document) changesAll(f *diagnose.Diagnosis) bool {
	changed := 0
	for _, s := range f.Splices {
		if s.Added() == s.Length && s.Length >= 4 {
			was, is := source.Read(d.Tree.Source, s.Span), source.Read(s.New, span.Span{Length: s.Length})
			isSame := false
			for i := range min(len(was), len(is)) {
				isSame = isSame || was[i] == is[i]
			}
			if !isSame {
				changed++
			}
		}
	}
	return changed > 1
}

// isTail reports whether what a repair would change is rather a trailer of the game's own, or a line of a text whose others are values. Once
// others are repaired, a last line of several words is rather like them.
func isTail(t *tree.Tree, f *diagnose.Diagnosis, isEdited bool) bool {
	win, end := source.NewWindow(t.Source), t.Region.End()
	is, behind := bytes.Clone(win.View(f.Offset, min(f.Length, detect.MostTail))), win.View(f.End(), min(end-f.End(), detect.MostTail))
	switch isAtEnd := end-f.Offset <= detect.MostTail && len(bytes.TrimSpace(behind)) == 0; {
	case f.Code == textual.NoValue && f.Offset > t.Region.Offset && win.Byte(f.Offset-1) == '\n':
		return isWordOfLine(is, behind) || isAtEnd && mayBeOwn(f, is) && !(isEdited && bytes.ContainsAny(is, blanks))
	case f.Code == span.ExtraBytes && len(behind) == 0:
		return isNoText(is)
	default:
		return f.Code == span.TrailingBytes && f.Path == "$" && isAtEnd && mayBeOwn(f, is)
	}
}

// isWordOfLine reports whether bytes before others are all of a line, which is a word that begins with a letter.
func isWordOfLine(is, behind []byte) bool {
	return len(behind) > 0 && isLineEnd(behind[0]) && bytes.IndexFunc(is, unicode.IsLetter) == 0 && !bytes.ContainsAny(is, blanks)
}

// blanks are between words, or a key and its value.
const blanks = ":= \t"

// isNoText reports whether bytes are such that no editor writes them behind a text.
func isNoText(b []byte) bool {
	return bytes.ContainsFunc(b, func(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\r\n", c) || c == utf8.RuneError })
}

// mayBeOwn reports whether bytes in which a problem is may be the game's own.
func mayBeOwn(f *diagnose.Diagnosis, b []byte) bool { return f.Severity < span.Error || isWord(b) }

// isWord reports whether bytes are words or digits that a game may end its files with, rather than a part of a damaged
// text: of that, such as may be the beginning of true, false or null is.
func isWord(b []byte) bool {
	const least = 3
	b = bytes.Trim(b, " \r\n\t|#;:=-")
	for _, constant := range []string{"true", "false", "null"} {
		if bytes.HasPrefix([]byte(constant), b) {
			return false
		}
	}
	return len(b) >= least && !bytes.ContainsFunc(b, func(c rune) bool { return c >= 0x80 || !strings.ContainsRune("!_ =:", c) && !wrap.IsDigit(byte(c)) })
}

// addOwn makes the kinds that were found those of the next layers.
func (d *Document) addOwn(kinds []wrap.Kind, o *Options) {
	known := d.mangled
	o.Outer = nil
	for _, l := range d.Layers[min(len(known), len(d.Layers)):] {
		o.Outer = append(o.Outer, wrap.AsOpened(l.Layer))
	}
	o.Outer = append(o.Outer, kinds...)
	d.outer = len(o.Outer)
	d.reading, d.weighed, d.Tree, d.foreign = nil, nil, nil, nil
}

// completeOwn tells the headers and trailers of the game's own what is inside, so that the lengths in them
// are found.
func (d *Document) completeOwn() {
	if d.Missing != nil || d.IsUnfinished() || !slices.ContainsFunc(d.Layers, func(l Layer) bool { return own.IsCompleted(l.Kind) }) {
		return
	}
	in := wrap.Inner{}
	if d.Tree.Region.Length <= detect.Prefix { // counting the values of a large file takes a while
		in.Starts = sync.OnceValues(func() ([]int64, error) { return ValueStarts(context.Background(), d.Tree) })
	}
	for i := len(d.Layers) - 1; i >= 0; i-- {
		in.Held = append([]source.Source{d.Layers[i].Payload}, in.Held...)
		l := &d.Layers[i]
		if own.IsCompleted(l.Kind) {
			in.Beside = d.beside(i)
			own.Complete(l.Layer, in)
			l.Tree = tree.New(l.Tree.Source, l.Reading, l.Region) // it has other parts now
		}
	}
	if n := len(d.Layers); d.reading != nil && d.Recipe == nil && d.Framing == "raw" && d.reading.Format.Info().Dialect.Framed {
		d.doubtHeader(&d.Layers[n-1])
	}
}

// doubtHeader notes that a header of four bytes before a value may as well be the damaged length of it: it is no magic word, no version
// and no time, and measures nothing.
func (d *Document) doubtHeader(l *Layer) {
	const size, versions, from, to = 4, 33, 1_400_000_000, 1_900_000_000 // times are of 2014 to 2030
	ends := own.Ends(l.Layer)
	if head := ends[0].Kept; ends[1].Span.Length > 0 || ends[0].Span.Length != size || len(head) < size || isWord([]byte(head)) {
		return
	}
	word, length := binary.LittleEndian.Uint32([]byte(ends[0].Kept)), uint32(l.Payload.Size())
	if word < versions && word != length%(1<<8) || word >= from && word < to {
		return
	}
	for _, f := range d.reading.Family.Formats(&format.Request{Dialect: d.Dialect, Framing: "stream"}, l.Tree.Source, l.Region) {
		d.misframed, d.Alternative, d.Confidence = l.Tree, &detect.Alternative{Format: f}, detect.Weak
		return
	}
}

// FollowingBefore says which numbers in the bytes before an offset from which the file is read are sizes, counts or checksums of
// what follows them; of a text that is read from its beginning, those in its first two lines and its last one.
func (d *Document) FollowingBefore(ctx context.Context) []own.Follower {
	outer, n, in := d.outermost(), d.Skipped(), wrap.Inner{}
	for _, l := range d.Layers {
		in.Held = append(in.Held, l.Payload)
	}
	switch {
	case n == 0 && !slices.ContainsFunc(d.Layers, func(l Layer) bool { return own.IsBeside(l.Kind) }):
		return followingLines(ctx, outer.Source, outer.Region)
	case n == 0 || n > detect.MostAhead:
		return nil
	}
	in.Held = append([]source.Source{source.Join(source.Piece{Src: outer.Source, Span: outer.Region})}, in.Held...)
	all, _ := own.Following(ctx, outer.Source, span.Between(0, outer.Region.End()), n, 0, in)
	return all
}

// Skipped returns the offset from which the file is read.
func (d *Document) Skipped() int64 { return d.outermost().Region.Offset }

// outermost returns the tree of the file.
func (d *Document) outermost() *tree.Tree {
	if len(d.Layers) > 0 {
		return d.Layers[0].Tree
	}
	return d.Tree
}

// followingLines says which numbers in the first two lines and the last one of a text measure the rest of it.
func followingLines(ctx context.Context, src source.Source, region span.Span) (all []own.Follower) {
	const largest = 1 << 20
	win := source.NewWindow(src)
	n := min(region.Length, detect.MostAhead)
	ahead, behind := bytes.Clone(win.View(region.Offset, n)), bytes.Clone(win.View(region.End()-n, n))
	first := bytes.IndexByte(ahead, '\n') + 1
	second := first + bytes.IndexByte(ahead[first:], '\n') + 1
	if region.Length > largest || !utf8.Valid(ahead[:second]) || bytes.IndexByte(ahead[:second], 0) >= 0 {
		return nil
	}
	for _, x := range [][2]int64{{int64(first)}, {int64(second)}, {0, append(lastLine(behind), 0)[0]}} {
		found, _ := own.Following(ctx, src, region, x[0], x[1], wrap.Inner{})
		for _, f := range found {
			if f.IsExact && !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// beside returns the number of the file's bytes around a layer; 0 if they may become more or fewer.
func (d *Document) beside(layer int) int64 {
	for _, l := range d.Layers[:layer] {
		if !own.IsSummed(l.Kind) {
			return 0
		}
	}
	return d.Layers[0].Region.Length - d.Layers[layer].Region.Length
}

// ValueStarts returns the offsets of the outermost values of a tree.
func ValueStarts(ctx context.Context, t *tree.Tree) (all []int64, err error) {
	r := t.NewReader()
	v, err := r.Child(t.Base, 0)
	for ; err == nil && ctx.Err() == nil; v, err = r.Next(v) {
		all = append(all, v.Start)
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return all, errors.Join(err, ctx.Err())
}
