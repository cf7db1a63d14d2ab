package layer

import "varview/decoder/span"

// The codes of problems that only wrappers have; others are in package span.
const (
	Unrecognized   = "unrecognized"     // the bytes are not such a wrapper
	BadMagic       = "bad-magic"        // signature with a byte that differs
	UnknownMode    = "unknown-mode"     // compression mode or cipher mode that does not exist
	WrongMode      = "wrong-mode"       // compression mode that is not that of the blocks
	BlockSize      = "block-size"       // block size 0, too large to be unpacked, or not that of the blocks
	BlockCount     = "block-count"      // one block fewer than engines require
	BadBlock       = "bad-block"        // packed block that does not unpack
	WrongSize      = "wrong-size"       // more or fewer bytes than the header says
	MissingTrailer = "missing-trailer"  // GCPF without its magic at the end
	TooLarge       = "too-large"        // more unpacked bytes than were allowed
	NeedsKey       = "needs-key"        // encrypted, and no key given
	WrongKey       = "wrong-key"        // the key does not fit
	Checksum       = "checksum"         // checksum that differs from that of the bytes
	TruncatedData  = "truncated-stream" // packed stream that ends early
	BadStream      = "bad-stream"       // packed stream that is damaged
	BadDigit       = "bad-digit"        // character that is not a digit, or a digit without its pair
	DigitPadding   = "digit-padding"    // base64 with too few or too many padding characters
	WrongOffset    = "wrong-offset"     // offset of a row that does not match its bytes
	LeadingBOM     = "leading-bom"      // byte order mark before the file
	TextTransfer   = "text-transfer"    // 0D before each 0A
	ReencodedBytes = "re-encoded"       // bytes from 80 on, each as a character of UTF-8
)

// Codes describes the codes of this package. A code that package span has too is
// described there.
var Codes = []span.Code{
	{Code: Unrecognized, Severity: span.Error, About: "the bytes are not the expected wrapper"},
	{Code: BadMagic, Severity: span.Error, About: "a signature of a wrapper has a byte that differs", Repair: "write the signature"},
	{Code: UnknownMode, Severity: span.Error, About: "the compression or cipher mode does not exist", Repair: "set the mode to that of the bytes"},
	{Code: WrongMode, Severity: span.Error, About: "the blocks have another compression mode than the header says", Repair: "set the mode to that of the blocks"},
	{Code: BlockSize, Severity: span.Error, About: "the block size of a GCPF is 0, too large to be unpacked, or not that of its blocks", Repair: "set the size to that of the first block"},
	{Code: BlockCount, Severity: span.Error, About: "a GCPF has one block fewer than engines expect", Repair: "add the empty block"},
	{Code: BadBlock, Severity: span.Error, About: "a block of a GCPF does not unpack"},
	{Code: WrongSize, Severity: span.Error, About: "a wrapper holds more or fewer bytes than it says", Repair: "set the size to that of the bytes"},
	{Code: MissingTrailer, Severity: span.Warning, About: "the signature at the end of a GCPF is missing", Repair: "add the signature"},
	{Code: TooLarge, Severity: span.Warning, About: "there are more unpacked bytes than --max-unpacked allows"},
	{Code: NeedsKey, Severity: span.Error, About: "the file is encrypted and neither key nor password is given"},
	{Code: WrongKey, Severity: span.Error, About: "the key or password does not fit the encrypted file"},
	{Code: Checksum, Severity: span.Error, About: "a checksum is not that of the bytes", Repair: "write the checksum of the bytes, if they are known to be right or nothing better can be recovered"},
	{Code: TruncatedData, Severity: span.Error, About: "a compressed stream ends early", Repair: "add the checksum, if only that is cut"},
	{Code: BadStream, Severity: span.Error, About: "a compressed stream is damaged"},
	{Code: BadDigit, Severity: span.Error, About: "a text has a character that is not a digit, or a digit without its pair", Repair: "delete a character that is not in the place of a digit"},
	{Code: DigitPadding, Severity: span.Warning, About: "a base64 text ends with too few or too many padding characters", Repair: "write the number that the digits need"},
	{Code: WrongOffset, Severity: span.Error, About: "a row of a hexadecimal dump has another offset than its bytes", Repair: "write the offset that the row has"},
	{Code: LeadingBOM, Severity: span.Error, About: "a program took the file for text and put a byte order mark before it", Repair: "delete the mark"},
	{Code: TextTransfer, Severity: span.Error, About: "the file went through a text-mode transfer, which put a 0D before each 0A", Repair: "delete these 0D bytes"},
	{Code: ReencodedBytes, Severity: span.Error, About: "a program read the file as text and saved it as UTF-8, so that bytes became two or three", Repair: "write each character as one byte again"},
}
