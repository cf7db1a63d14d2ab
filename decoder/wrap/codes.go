package wrap

// The codes of problems that only wrappers have; others are in package span.
const (
	Unrecognized   = "unrecognized"     // the bytes are no such wrapper
	UnknownMode    = "unknown-mode"     // compression mode or cipher mode that does not exist
	BlockSize      = "block-size"       // block size 0, or too large to be unpacked
	BlockCount     = "block-count"      // a block less than engines want
	BadBlock       = "bad-block"        // packed block that does not unpack
	WrongSize      = "wrong-size"       // more or fewer bytes than the header says
	MissingTrailer = "missing-trailer"  // GCPF without its magic at the end
	TooLarge       = "too-large"        // more unpacked bytes than were allowed
	NeedsKey       = "needs-key"        // encrypted, and no key given
	WrongKey       = "wrong-key"        // the key does not fit
	Checksum       = "checksum"         // checksum that differs from that of the bytes
	TruncatedData  = "truncated-stream" // packed stream that ends early
	BadStream      = "bad-stream"       // packed stream that is damaged
	BadDigit       = "bad-digit"        // character that is no digit, or a digit without its pair
	WrongOffset    = "wrong-offset"     // offset of a row that its bytes do not have
)
