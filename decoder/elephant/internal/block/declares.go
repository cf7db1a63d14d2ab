package block

import "varview/decoder/span"

// Declares is the span of the bytes that say by which rules a region is read:
// magic and version. After an edit of these the bytes have to be opened anew.
func (f *Reading) Declares(region span.Span) span.Span {
	return span.Between(region.Offset, min(region.Offset+HeaderSize, region.End()))
}
