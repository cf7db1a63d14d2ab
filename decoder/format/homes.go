package format

// A Housed family knows where the games of its engines keep their files.
type Housed interface{ Homes() []Home }

// A Home is where the games of an engine keep their files.
type Home struct {
	// Data is a path below the user's folder for data, in which each game has a folder; on
	// Windows and macOS it begins with a capital.
	Data string
	// Log is a path in the folder of a game that has one of its own, below the folder for data.
	Log string
	// Loose says that each game has a folder of its own beside those of other programs: in
	// %LocalAppData%, or the folder for configuration.
	Loose bool
}
