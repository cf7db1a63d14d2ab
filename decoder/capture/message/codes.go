package message

import (
	"fmt"

	"varview/decoder/span"
)

// The codes of problems in messages.
const (
	NoTerminator  = "no-terminator"    // a text without the NUL that ends it
	UnknownKind   = "unknown-message"  // a message of no known kind
	BadOffset     = "bad-path-offset"  // the place of a path is not in the message
	BadCount      = "argument-count"   // more arguments are counted than there are
	UnknownPath   = "unknown-path-id"  // an id that no message has given to a path
	RepeatedPath  = "repeated-path-id" // an id that a message gives to a second path
	UnknownNode   = "unknown-net-id"   // the number of a node that was not spawned
	BadWidth      = "bad-id-width"     // an id of no known width
	BadRelay      = "bad-relay"        // a system message that is relayed
	DigestDiffers = "methods-differ"   // sender and receiver have other methods
	Forgotten     = "state-forgotten"  // more flows or paths than are remembered
)

// Codes describes them.
var Codes = []span.Code{
	{Code: NoTerminator, Severity: span.Error, About: "a path or name of a message without the NUL that ends it"},
	{Code: UnknownKind, Severity: span.Error, About: "a message of a kind that the engine does not have"},
	{Code: BadOffset, Severity: span.Error, About: "the offset of a call's path is not in the message"},
	{Code: BadCount, Severity: span.Error, About: "a call counts more arguments than it has"},
	{Code: UnknownPath, Severity: span.Warning, About: "an id that no earlier message of the capture has given to a path"},
	{Code: RepeatedPath, Severity: span.Warning, About: "an id that stands for another path already"},
	{Code: UnknownNode, Severity: span.Warning, About: "the number of a node that no earlier message of the capture has spawned"},
	{Code: BadWidth, Severity: span.Error, About: "a call whose node id has no known width"},
	{Code: BadRelay, Severity: span.Error, About: "a relayed message that must not be relayed"},
	{Code: DigestDiffers, Severity: span.Warning, About: "sender and receiver of calls have different methods on a node"},
	{Code: Forgotten, Severity: span.Note, About: "more flows and paths than are remembered: what an id stands for may be missing from here on"},
}

// NoPath says that an id has no path.
func NoPath(id uint32) string {
	return fmt.Sprintf("no earlier message in the capture says which path has the id %d", id)
}

// NoNode says that no node with a number was spawned; what is the node or a synchronizer of it.
func NoNode(what string, id uint32) string {
	return fmt.Sprintf("no earlier message in the capture spawns a %s with the number %d", what, id)
}
