package format

// A Housed family knows where the games of its engines keep their files.
type Housed interface{ Homes() []Home }

// A Home is where the games of an engine keep their files.
type Home struct {
	// Data is a path below the user's data folder. Each game has a folder in it; on Windows and macOS the
	// path begins with a capital letter.
	Data string
	// Log is a path in the folder of a game that has its own folder below the data folder.
	Log string
	// Loose says that each game has its own folder beside those of other programs: in %LocalAppData%, or in
	// the configuration folder.
	Loose bool
}
