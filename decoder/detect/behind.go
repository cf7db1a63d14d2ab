package detect

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// Limits of what may stand before and behind the values.
const (
	mostHead    = 64       // bytes of a header that are left out one after another
	mostBehind  = 16       // bytes of it behind the digits of a hash
	MostAhead   = 256      // bytes in which a line or text may end, or a signature begin
	MostBlock   = 64 << 10 // bytes in which a block with its length may end
	MostTail    = 136      // bytes of a trailer: a SHA-512 in digits and some more
	mostFilled  = 4 << 10  // the same with the zeros that fill the file up
	mostBytes   = 72       // the same of one that is not text: a SHA-512 and some more
	leastBytes  = 24       // fewest bytes that are read behind a header without a signature
	leastSigned = 7        // the same with a signature
	leastRead   = 3        // fewest values
	leastSecond = 8        // fewest bytes after the first value of a sequence
	beforeText  = 4        // bytes of a number before a text, of which the last ones are by chance like the beginning of one

	bytesPerValue = 8 // fewest bytes for each value in which a last resort is evidence
)

// Surprises of readings behind a header or before a trailer, in the unit of score.Rating, in which a changed
// byte counts 8.
const (
	headSurprise  = 12 // of a header, and of each 8 bytes of it one more
	wordSaves     = 8  // how much less that of 4 bytes is that are hardly a damaged length
	sizeSaves     = 48 // the same of 4 bytes that are the size of what follows, as the length of a damaged frame is
	tailSurprise  = 8
	oddSurprise   = 16 // of a header of zeros or a trailer like nothing that games write
	bareSurprise  = 16 // of a sequence
	lastSurprise  = 64 // of one that is read as a last resort
	pairSurprise  = 4  // of one that is not a container whose count is too small
	bigSurprise   = 16 // of big-endian lengths
	changedByte   = 8
	moreBytes     = 16       // of each changed byte of a field but the first: damage seldom hits two
	certainHeader = -12 * 64 // what lowers the surprise of bytes with a checksum or a long signature: as much as values do
)

// A Place is a part of a region that is read better than the whole: what is before and behind it is a
// game's own.
type Place struct {
	Head, Tail int64 // numbers of bytes
	Surprise   int64
	Rival      int64           // another number of bytes of the header with which the rest reads as well; 0 for none
	IsDamaged  bool            // what is read there is not sound to its end
	IsFramed   bool            // the header is the length of a frame as well, in which the trailer is left over
	IsLast     bool            // it is read as a last resort: nearly all bytes are values
	dialect    *format.Dialect // nil for packed bytes
	isChecked  bool            // the tail is a checksum that fits
}

// LikelierThan reports whether a place is likelier than another one, which may be nil.
func (p *Place) LikelierThan(q *Place) bool {
	if q == nil || p.IsLast != q.IsLast {
		return q == nil || q.IsLast
	}
	return p.Surprise < q.Surprise
}

// Against compares a place with the least damage that explains the whole region. It reports whether the place is the
// likelier account, and whether the damage is about as likely.
func (p *Place) Against(damage int64) (better, near bool) {
	return p.Head == 0 || p.Surprise < damage+weakLead, p.Head > 0 && p.Surprise > damage-weakLead/2
}

// beats reports whether a place is so much likelier than damage of the whole region that this need not be looked for
// in all ways to read it. Only what is read in the dialect of the place could leave the values there as they are. The
// first candidate is then not rated. A last resort is read in many bytes by chance.
func (p *Place) beats(ctx context.Context, src source.Source, region span.Span, all []*candidate) (bool, error) {
	if p.IsLast {
		return false, nil
	}
	var same []*candidate
	for _, c := range all {
		if c.info.Dialect == p.dialect && p.Head > 0 {
			same = append(same, c)
		}
	}
	damage := int64(noMaximum)
	if len(same) > 0 {
		first, err := rate(ctx, same)
		if err == nil {
			damage, err = first.result(src, region).Damage(ctx)
		}
		if err != nil {
			return false, err
		}
	}
	better, near := p.Against(damage)
	return better && !near, nil
}

// PackedSurprise returns the surprise of packed bytes that are sound between a header and a trailer.
func PackedSurprise(head, tail []byte, content int64) int64 {
	return certainHeader + aroundSurprise(head, tail, content)
}

// aroundSurprise returns how surprising it is that a game writes these bytes before and behind content of some bytes;
// -1 if no damaged length of it can be before it.
func aroundSurprise(head, tail []byte, content int64) (sum int64) {
	if n := int64(len(head)); n > 0 {
		sum = headSurprise + n/8
		switch {
		case n == 4:
			sum += wordSurprise(head, content)
		case len(bytes.Trim(head, "\x00")) == 0:
			sum += oddSurprise
		}
	}
	if n := int64(len(tail)); n > 0 {
		if sum += tailSurprise + n/8; n > 8 && !printable(tail) && n%4 != 0 {
			sum += oddSurprise
		}
	}
	return sum
}

// wordSurprise returns how much more surprising than others a header of 4 bytes is, which may also be the damaged length
// of what follows: less for a magic word, a version, and where all bytes but one would be damaged.
func wordSurprise(head []byte, content int64) int64 {
	little, big := binary.LittleEndian.Uint32(head), binary.BigEndian.Uint32(head)
	changed := 0
	for i := range 4 {
		if byte(little>>(8*i)) != byte(content>>(8*i)) {
			changed++
		}
	}
	switch {
	case little == 0:
		return 0
	case printable(head), min(little, big) < 1<<8, changed == 0, changed > 2:
		return -wordSaves
	case changed == 1:
		return changedByte
	}
	return 0
}

// Around knows what games write before and behind values.
type Around struct {
	IsTail  func(last byte, tail []byte) bool          // reports whether bytes may follow values with their last byte, if nothing precedes them
	Checked func(src source.Source, r span.Span) int64 // returns how many bytes of a region have their checksum behind them
	// Fitting returns how many numbers and checksums in a header and a trailer of a region fit what is between them, and how many
	// of these are checksums.
	Fitting func(ctx context.Context, src source.Source, r span.Span, head, tail int64) (all, sums int, err error)
}

// A behindSearch looks for the place in a region at which the values begin behind bytes of a game's own.
type behindSearch struct {
	Table
	src         source.Source
	region      span.Span
	r           *format.Request
	is          *Result
	around      Around
	ahead, tail []byte // the first and the last bytes of the region
	isSaid      bool   // numbers before the values say how many bytes they are
	tries       int    // of such numbers

	best, second *Place
	found        *candidate // that reads the best
}

// Behind looks for the place in a region at which the values begin behind one of some offsets, and may end
// before the end; nil for none. is says how the whole region is read, which is not trusted.
func (t Table) Behind(ctx context.Context, src source.Source, region span.Span, r *format.Request, is *Result, offsets []int64, around Around) (*Place, error) {
	win := source.NewWindow(src)
	x := &behindSearch{Table: t, src: src, region: region, r: r, is: is, around: around}
	x.ahead = bytes.Clone(win.View(region.Offset, min(region.Length, MostBlock)))
	x.tail = bytes.Clone(win.View(region.End()-min(region.Length, mostFilled), min(region.Length, mostFilled)))
	if is.beginsAsText() {
		offsets = nil
	}
	for i, n := range slices.Concat([]int64{0}, offsets, offsets) { // again where nothing else is found
		if x.isSaid = i > len(offsets); x.isSaid && x.best != nil {
			break
		}
		if n > 0 && len(bytes.Trim(win.View(region.Offset+n, leastZeros), "\x00")) == 0 {
			continue // zeros are values by chance
		}
		c, p, err := x.at(ctx, n)
		if err != nil {
			return nil, err
		}
		if c != nil {
			x.note(ctx, c, p)
		}
	}
	if x.best == nil {
		return nil, ctx.Err()
	}
	return x.result(ctx, offsets), ctx.Err()
}

// at returns what reads the rest of the region behind n bytes, but for a trailer, and its place; nil if nothing does, or it is
// rather a part of what the whole region is read as.
func (x *behindSearch) at(ctx context.Context, n int64) (*candidate, *Place, error) {
	c, left, isChecked := x.soundAt(ctx, n)
	if c == nil || n+left == 0 || c.claim == format.LastResort && hasSignature(x.ahead, n) {
		return nil, nil, nil
	}
	isFilled := left > mostBytes && !x.isSaid && c.info.Framing != format.Sequence && len(bytes.Trim(x.tail[int64(len(x.tail))-left:], "\x00")) == 0
	if n > mostHead && x.isBehindFrame(ctx, c) || isFilled {
		if _, sums, err := x.around.Fitting(ctx, x.src, x.region, n, left); sums == 0 || err != nil {
			return nil, nil, err
		}
	}
	behind := x.tail[int64(len(x.tail))-left:]
	if n == 0 && !x.is.endsBefore(behind, c, x.around.IsTail) { // a checksum or size in it says so as well
		fitting, _, err := x.around.Fitting(ctx, x.src, x.region, 0, left)
		if isChecked = fitting > 0; !isChecked || err != nil {
			return nil, nil, err
		}
	}
	isMore := left > 0 && !isChecked && c.leavesValues(ctx, x.src, span.Between(x.region.End()-left, x.region.End()))
	if isMore || c.isPartOfText(x.ahead[:n], behind) {
		return nil, nil, nil
	}
	p := c.between(x.ahead[:n], behind, x.region.Length-n-left, isChecked)
	if p.IsLast { // it is read in many places by chance
		fitting, _, err := x.around.Fitting(ctx, x.src, x.region, n, left)
		if err != nil {
			return nil, nil, err
		}
		p.Surprise += certainHeader * int64(fitting)
	}
	return c, p, nil
}

// soundAt returns what reads the bytes behind n others, the number of those left behind them, and whether they are known to be a trailer.
func (x *behindSearch) soundAt(ctx context.Context, n int64) (c *candidate, left int64, isChecked bool) {
	if x.isSaid {
		return x.saidBefore(ctx, n)
	}
	return x.soundBefore(ctx, x.src, span.Between(x.region.Offset+n, x.region.End()), x.r, x.around.Checked)
}

// saidBefore returns what reads the bytes behind n others, of which one of the last numbers of these says how many they are, and the number of
// those left behind them: few, but for zeros.
func (x *behindSearch) saidBefore(ctx context.Context, n int64) (*candidate, int64, bool) {
	const most, word, mostTries = 16, 4, 8
	win := source.NewWindow(x.src)
	for at := max(0, n-most); at+word <= n; at++ {
		for _, size := range []uint32{binary.LittleEndian.Uint32(x.ahead[at:]), binary.BigEndian.Uint32(x.ahead[at:])} {
			held := span.Span{Offset: x.region.Offset + n, Length: int64(size)}
			left := x.region.End() - held.End()
			if held.Length < leastBytes || left <= 0 || left > mostFilled || left-win.ZerosBefore(held.End(), x.region.End()) > MostTail {
				continue
			}
			if x.tries++; x.tries > mostTries { // of which each reads the bytes
				return nil, 0, false
			}
			if c, more := x.sound(ctx, x.src, held, x.r); c != nil && more == 0 && !(c.info.Dialect.Framed && at+word == n) { // that is a frame
				return c, left, true
			}
		}
	}
	return nil, 0, false
}

// isBehindFrame reports whether the region begins with a frame of the family of a candidate: what is read behind it is then what
// damage has left of a stream, rather than values behind a block.
func (x *behindSearch) isBehindFrame(ctx context.Context, c *candidate) bool {
	frame := span.Span{Offset: x.region.Offset, Length: frameHead + int64(c.win.U32(x.region.Offset))}
	if frame.End() > x.region.End() {
		return false
	}
	first, left := x.sound(ctx, x.src, frame, x.r)
	return first != nil && left == 0 && first.family == c.family && first.info.Framing == "stream"
}

// note keeps a place if it is one of the two likeliest.
func (x *behindSearch) note(ctx context.Context, c *candidate, p *Place) {
	if p.LikelierThan(x.best) {
		x.best, x.second, x.found = p, x.best, c
	} else if p.LikelierThan(x.second) && !x.found.beginsAt(ctx, x.region.Offset+p.Head) {
		x.second = p
	}
}

// result returns the likeliest place, corrected by what is before and behind it; nil if it is all of the region.
func (x *behindSearch) result(ctx context.Context, offsets []int64) *Place {
	best := x.best
	if best.Head >= frameHead && !best.isChecked && !x.isBesideSum(ctx, best) && x.found.isInFrame(x.src, span.Between(x.region.Offset+best.Head-frameHead, x.region.End()), x.r) {
		return best.inFrame()
	}
	if whole := x.Table.around(ctx, x.src, x.region, x.r, best, x.found, offsets); whole != nil {
		if isMeasured, err := x.isMeasured(ctx, best.Head, best.Tail); !isMeasured || err != nil {
			return whole.place(best)
		}
		best.Surprise += certainHeader
	}
	if best.Tail > 0 && !best.isChecked && x.found.goesOn(ctx, x.src, span.Between(x.region.End()-best.Tail, x.region.End())) {
		if isMeasured, err := x.isMeasured(ctx, best.Head, best.Tail); !isMeasured || err != nil {
			best.Tail = 0
		}
	}
	if best.Head+best.Tail == 0 {
		return nil
	}
	if x.second != nil {
		best.noteRival(x.second)
	}
	if best.Head == frameHead && best.Tail > 0 && x.isSize(best.Tail) {
		best.Surprise -= sizeSaves
	}
	return best
}

// inFrame returns a place whose header ends with the length of a frame around what follows as that of the frame, which has bytes left over,
// or as it is if that is all of the region; nil if it has no trailer: what is read is then what damage has left of the frame.
func (p *Place) inFrame() *Place {
	p.IsFramed = p.Head == frameHead && p.Tail > 0
	switch {
	case p.IsFramed:
		return p
	case p.Head == frameHead:
		return nil
	}
	if p.Rival = 0; p.Tail > 0 {
		p.Rival = p.Head
	}
	p.Head, p.Tail, p.IsDamaged = p.Head-frameHead, 0, true
	return p
}

// isSize reports whether the first 4 bytes are the size of what follows, with a trailer of some bytes or without it.
func (x *behindSearch) isSize(tail int64) bool {
	little, big, rest := binary.LittleEndian.Uint32(x.ahead), binary.BigEndian.Uint32(x.ahead), uint32(x.region.Length-frameHead)
	return little == rest || big == rest || little == rest-uint32(tail) || big == rest-uint32(tail)
}

// isBesideSum reports whether a place before a trailer has a checksum beside it that fits: what is before it is then no damaged frame of both.
func (x *behindSearch) isBesideSum(ctx context.Context, p *Place) bool {
	if p.Tail == 0 {
		return false
	}
	_, sums, err := x.around.Fitting(ctx, x.src, x.region, p.Head, p.Tail)
	return sums > 0 && err == nil
}

// isMeasured reports whether a header or trailer has a checksum that fits what is between them, or several numbers: one is chance.
func (x *behindSearch) isMeasured(ctx context.Context, head, tail int64) (bool, error) {
	all, sums, err := x.around.Fitting(ctx, x.src, x.region, head, tail)
	return sums > 0 || all > 1, err
}

// isInFrame reports whether what a candidate reads is in a frame: the family has streams, and one that begins before it, with
// a length, ends where the region does. What is read without the frame is then only what damage has left.
func (c *candidate) isInFrame(src source.Source, from span.Span, r *format.Request) bool {
	return c.info.Framing != "stream" && c.win.U32(from.Offset) > 0 && (framesEnd(c.win, from) == from.End() && !c.isAllContainers() || c.isDamagedFrame(from)) &&
		slices.ContainsFunc(candidatesOf(c.family, c.claim, src, from, r), func(x *candidate) bool { return x.info.Framing == "stream" })
}

// isDamagedFrame reports whether several values may be what damage has left of a frame, in which blocks were lost, repeated or overwritten:
// its length is about that of all that follows, or just that of the first value. A header with the exact size of all values is a game's.
func (c *candidate) isDamagedFrame(from span.Span) bool {
	length, rest := int64(c.win.U32(from.Offset)), from.Length-frameHead
	if c.info.Framing != "sequence" || length == rest {
		return false
	}
	first, err := c.tree.NewReader().Child(c.tree.Base, 0)
	return length > rest/2 && length < 2*rest || err == nil && first.End == from.Offset+frameHead+length
}

// isAllContainers reports whether a candidate reads several values, of which each has children, as a game may write them.
func (c *candidate) isAllContainers() bool {
	const most = 64
	r := c.tree.NewReader()
	for i := range int64(most) {
		v, err := r.Child(c.tree.Base, i)
		if err != nil {
			return i > 1
		}
		if v.Layout < tree.Sequence || v.Count == 0 {
			return false
		}
	}
	return true
}

// noteRival notes the header of another place if that is about as likely. A few bytes before a last resort are read as more
// of it by chance.
func (p *Place) noteRival(second *Place) {
	near := int64(weakLead / 2)
	if p.IsLast {
		near = 2 * weakLead
	}
	ahead := second.Head - p.Head
	isMore := p.IsLast && ahead >= 2 && ahead <= 16 && second.Tail == p.Tail && second.Surprise < p.Surprise-certainHeader/2
	if p.Head > 0 && second.IsLast == p.IsLast && (isMore || second.Surprise-p.Surprise <= near) {
		p.Rival = second.Head
	}
}

// between returns the place of a reading of some bytes of content between others. isChecked reports whether these are a
// checksum that fits.
func (c *candidate) between(head, tail []byte, content int64, isChecked bool) *Place {
	if c.info.Framing == "stream" { // its frames have lengths of their own
		content = -1
	}
	p := &Place{Head: int64(len(head)), Tail: int64(len(tail)), Surprise: c.surprise + aroundSurprise(head, tail, content), IsLast: c.claim == format.LastResort, dialect: c.info.Dialect}
	if isChecked {
		p.Surprise, p.IsLast, p.isChecked = p.Surprise+certainHeader, false, true
	}
	return p
}

// A whole is a reading that begins before a place and holds it, but is not sound to its end: that of a file that is
// cut or damaged, of which parts can be read alone.
type whole struct {
	*candidate
	head   int64
	values int // before the place
}

// around returns the whole of which a place is a part, or nil: the one with most values before the place, in the same
// family. Few values before it are chance.
func (t Table) around(ctx context.Context, src source.Source, region span.Span, r *format.Request, p *Place, found *candidate, offsets []int64) (w *whole) {
	place := region.Offset + p.Head
	_, isText := found.tree.Reading.(diagnose.Text)
	for _, n := range append([]int64{0}, offsets...) {
		if n >= p.Head || isText && n > 0 && p.Head-n <= beforeText || ctx.Err() != nil {
			break
		}
		rest := span.Between(region.Offset+n, region.End())
		for _, c := range t.alike(src, rest, r, found) {
			if values := c.valuesAround(ctx, src, rest, place); values >= c.leastAround(n) && (w == nil || values > w.values) {
				w = &whole{c, n, values}
			}
		}
	}
	return w
}

// alike lists the readings of a region in the dialect of one that was found elsewhere.
func (t Table) alike(src source.Source, region span.Span, r *format.Request, found *candidate) (all []*candidate) {
	if found.family.Sniff(src, region) != found.claim {
		return nil
	}
	for _, c := range t.allClaims(src, region, r) {
		isLike := c.family == found.family && c.info.Dialect == found.info.Dialect
		if isLike && (c.info.Framing != format.Sequence || c.beginsWithMany(src, region)) {
			all = append(all, c)
		}
	}
	return all
}

// leastAround returns the fewest values before a place that are more than chance, for a reading that begins behind a
// header of n bytes.
func (c *candidate) leastAround(n int64) int {
	_, isText := c.tree.Reading.(diagnose.Text)
	switch {
	case isText:
		return 1
	case c.claim == format.LastResort && n > 0:
		return 3
	}
	return 2
}

// beginsWithMany reports whether the first of several values is a container that is not empty.
func (c *candidate) beginsWithMany(src source.Source, region span.Span) bool {
	c.tree = tree.New(src, c.format.Open(src, region), region)
	first, err := c.tree.NewReader().Child(c.tree.Base, 0)
	return err == nil && first.Layout >= tree.Sequence && first.Count > 0
}

// valuesAround returns how many values a reading has before a place that it holds; 0 if it has a problem before that.
// Single bytes do not count where they are read as values by chance.
func (c *candidate) valuesAround(ctx context.Context, src source.Source, region span.Span, place int64) (values int) {
	c.tree = tree.New(src, c.format.Open(src, region), region)
	s, isSound := c.tree.Scanner(), true
	s.NoResync = true
	isFrame := func(p *span.Problem) bool { // of a file that is cut
		return c.info.Framing == "stream" && p.IsShortage() && p.Offset == region.Offset
	}
	s.Report = func(p span.Problem) { isSound = isSound && (score.Of(&p) == 0 || isFrame(&p)) }
	s.Run(ctx, func(ev tree.Event) bool {
		v := s.Value()
		if isSound = isSound && (v.Damage == nil || isFrame(v.Damage)); !isSound || ev == tree.Leave {
			return isSound
		}
		if v.Head < place && (c.claim != format.LastResort || max(v.Tail, v.Body)-v.Head > 1) {
			values++
		}
		return v.Head < place
	})
	if s.Pos() < place {
		return 0
	}
	return values
}

// goesOn reports whether a tail, behind values that a candidate has read, is one more value of which the end is cut off: its
// type is known, and nothing is wrong with it but that bytes are missing. Few bytes are values by chance.
func (c *candidate) goesOn(ctx context.Context, src source.Source, tail span.Span) bool {
	if c.info.Framing == "raw" {
		return false
	}
	isCut, isOther, values, least := false, false, 0, 1
	if c.claim == format.LastResort {
		least = leastRead
	}
	s := tree.New(src, c.format.Open(src, tail), tail).Scanner()
	s.NoResync = true
	s.Report = func(p span.Problem) {
		isCut = isCut || p.IsShortage() && (c.info.Framing != "stream" || p.Offset > tail.Offset) // not the frame alone, which any number is
		isOther = isOther || p.Severity > span.Note && !p.IsShortage()                            // as of the type of any number
	}
	s.Run(ctx, func(ev tree.Event) bool {
		if v := s.Value(); ev != tree.Leave && v.Body > v.Head {
			values++
		}
		return !isOther
	})
	return isCut && !isOther && values >= least
}

// place returns the place of a whole that is likelier than a part of it; nil for all of the region, or if such a reading
// is only known where it is sound.
func (w *whole) place(part *Place) *Place {
	if w.head == 0 || w.claim == format.LastResort {
		return nil
	}
	return &Place{IsDamaged: true, Head: w.head, Surprise: part.Surprise - evidence*int64(w.values), dialect: w.info.Dialect}
}

// hasSignature reports whether a file of another kind, as an archive, begins in the first n of some bytes. Parts of it may be
// values.
func hasSignature(b []byte, n int64) bool {
	for at := range n {
		if nameBySignature(b[at:]) != "" {
			return true
		}
	}
	return false
}

// endsBefore reports whether a reading of a region, in the same dialect or as a last resort, can end before a tail: bytes that
// games write behind values. isTail says so, by the byte before them too, or they are a word behind what is no text, or no text behind
// one.
func (r *Result) endsBefore(tail []byte, c *candidate, isTail func(last byte, tail []byte) bool) bool {
	const least = 3
	if c.info.Dialect != r.best.info.Dialect && c.claim != format.LastResort {
		return false
	}
	content := r.Tree.Region.Length - int64(len(tail))
	_, isText := r.Tree.Reading.(diagnose.Text)
	switch {
	case isTail(c.win.Byte(r.Tree.Region.Offset+content-1), tail):
		return true
	case len(tail) < least:
		return false
	case isText:
		return !isLines(tail)
	}
	return printable(bytes.TrimSpace(tail))
}

// cutShort returns the reading of a region as a last resort that ends early, because of damage, before bytes that are the rest of
// the values; nil if there is none, or the request says how the region is read.
func (t Table) cutShort(ctx context.Context, src source.Source, region span.Span, r *format.Request) *Result {
	if r.Framing != "" || r.Dialect != "" {
		return nil
	}
	for _, c := range t.withClaim(format.LastResort, src, region, r) {
		left := c.weighSound(ctx, src, region)
		if left > 0 && c.convinces(ctx) && c.leavesValues(ctx, src, span.Between(region.End()-left, region.End())) {
			c.weigh(ctx, src, region, min(region.End(), region.Offset+Prefix), noMaximum)
			result := c.result(src, region)
			result.Confidence, result.mayBeDamaged = Weak, true
			return result
		}
	}
	return nil
}

// leavesValues reports whether a tail, behind what a candidate reads as a last resort, is values too, or what is read before it
// has values that hardly any game stores: a count was damaged, or bytes are missing or too many, and the tail is the rest.
func (c *candidate) leavesValues(ctx context.Context, src source.Source, tail span.Span) bool {
	const odd, least = 4, 2 // oddness of a key that no game has; bytes of a value that is not read by chance
	if c.claim != format.LastResort {
		return false
	}
	if diagnose.RateClean(ctx, c.tree).Oddness >= odd {
		return true
	}
	for _, x := range candidatesOf(c.family, c.claim, src, tail, &format.Request{Framing: format.Sequence, Dialect: c.info.Dialect.Name}) {
		isSound, values := true, int64(0)
		s := tree.New(src, x.format.Open(src, tail), tail).Scanner()
		s.Report = func(p span.Problem) { isSound = isSound && score.Of(&p) == 0 }
		s.Run(ctx, func(ev tree.Event) bool {
			if ev != tree.Leave {
				values++
			}
			return isSound
		})
		if isSound && values*least <= tail.Length {
			return true
		}
	}
	return false
}

// Damage returns the surprise of the least damage with which all of a region reads as it does.
func (r *Result) Damage(ctx context.Context) (int64, error) {
	c := r.best
	switch {
	case r.Unexplained, c.isLate:
		return noMaximum, nil
	case c.Cost == 0:
		return c.surpriseOf(diagnose.RateClean(ctx, c.tree)), nil
	case c.isRated:
		return c.surprise + moreBytes*int64(c.changed), nil
	}
	rating, ok, err := diagnose.RateField(ctx, c.tree, false)
	if !ok || rating.AtStart {
		return noMaximum, err
	}
	return c.surpriseOf(rating) + moreBytes*int64(rating.Changed), err
}
