package format

import (
	"slices"
	"strings"
)

// A Script is code that loading a file runs.
type Script struct {
	Name string // its path in the game or on the disk, or what it is: "GDScript with its source code"
	Path string // path of the value that names it
	Code Code
}

// A Code says whose code is run. What is worse comes later.
type Code uint8

// The codes.
const (
	NoCode    Code = iota // none
	OwnCode               // a script of the game itself, by its path in the game
	OtherCode             // a script outside the game: in the user's folder, anywhere on the disk
	FileCode              // code that is in the file itself
)

// String returns the name of a code in JSON.
func (c Code) String() string { return [...]string{"none", "own", "other", "file"}[c] }

// CodeAt returns whose code a script or resource with a path is.
func CodeAt(path string) Code {
	inGame, isInGame := strings.CutPrefix(path, "res://")
	switch {
	case isInGame && !slices.Contains(strings.FieldsFunc(inGame, func(r rune) bool { return r == '/' || r == '\\' }), ".."):
		return OwnCode
	case strings.HasPrefix(path, "uid://"): // ids are those of the game's own files
		return OwnCode
	}
	return OtherCode
}
