package action

import "slices"

const (
	moving    Group = "Move"
	folding   Group = "Fold"
	finding   Group = "Find"
	editing   Group = "Edit"
	adding    Group = "Add and delete, in the tree"
	bytes     Group = "Bytes, in their pane"
	problems  Group = "In the list of problems"
	differing Group = "After :diff"
	merging   Group = "In the list of conflicts"
	tables    Group = "In a table"
	messages  Group = "In the list of messages"
	program   Group = "Program"
)

// table is all actions in the order of the help.
var table Table

// define describes an action.
func define(name Action, group Group, rooms Rooms, title, help string, keys ...string) Action {
	table = append(table, Entry{name, group, rooms, title, help, keys})
	return name
}

// The actions in the order of the help.
var (
	Edit        = define("edit", editing, Panes|Sheet, "edit", "edit the value, a container as text", "e")
	Flip        = define("flip", editing, Panes, "true or false", "true or false; fold or unfold", " ")
	Increase    = define("increase", editing, Panes, "more", "add 1 to a number, 10+ adds 10", "+")
	Decrease    = define("decrease", editing, Tree, "less", "take 1 from a number, 10- takes 10", "-")
	Rename      = define("rename", editing, Tree, "rename", "edit the key or name", "r")
	AsText      = define("as-text", editing, Editor, "text or literal", "while typing: text or literal", "ctrl+t")
	EditOutside = define("edit-outside", editing, Tree, "editor", "edit the value in $VISUAL or $EDITOR", "ctrl+e")
	TypeOutside = define("type-outside", editing, Editor, "editor", "while typing: in $VISUAL or $EDITOR", "ctrl+x")
	Undo        = define("undo", editing, Panes|Problems|Changes|Sheet, "undo", "undo the last step", "u")
	Redo        = define("redo", editing, Panes|Problems|Changes|Sheet, "redo", "redo what was undone", "ctrl+r")
	Repeat      = define("repeat", editing, Tree, "repeat", "repeat the last edit, here", ".")

	AddAfter    = define("add-after", adding, Tree, "add after", "add a value after", "a")
	AddBefore   = define("add-before", adding, Tree, "add before", "add a value before", "i")
	AddInside   = define("add-inside", adding, Tree|Sheet, "add inside", "add a value inside, at the end", "A")
	Duplicate   = define("duplicate", adding, Tree|Sheet, "duplicate", "put a copy after it", "D")
	Delete      = define("delete", adding, Tree|Sheet, "delete", "delete the value, or all selected", "d d", "delete")
	MoveDown    = define("move-down", adding, Tree, "move down", "move the value down", "J", "alt+down")
	MoveUp      = define("move-up", adding, Tree, "move up", "move the value up", "K", "alt+up")
	ExtendDown  = define("extend-down", adding, Tree, "select down", "select the next value too", "shift+down")
	ExtendUp    = define("extend-up", adding, Tree, "select up", "select the value before too", "shift+up")
	Copy        = define("copy", adding, Panes, "copy", "copy, to the clipboard too; bytes in a form", "y")
	CopyAs      = define("copy-as", adding, Tree|Sheet, "copy as", "copy as path, literal, JSON, GDScript, Markdown, CSV", "Y")
	Cut         = define("cut", adding, Tree, "cut", "copy and delete", "x")
	PasteAfter  = define("paste-after", adding, Tree|Bytes, "paste after", "paste after; over bytes", "p")
	PasteBefore = define("paste-before", adding, Tree|Bytes, "paste before", "paste before", "P")

	Down            = define("down", moving, Panes|Lists, "down", "down", "j", "down")
	Up              = define("up", moving, Panes|Lists, "up", "up", "k", "up")
	Right           = define("right", moving, Panes|Sheet, "unfold", "unfold, or go in; one byte forward", "l", "right")
	Left            = define("left", moving, Panes|Sheet, "fold", "fold, or go out; one byte back", "h", "left")
	HalfPageDown    = define("half-page-down", moving, Panes|Lists, "half a page down", "half a page down", "ctrl+d")
	HalfPageUp      = define("half-page-up", moving, Panes|Lists, "half a page up", "half a page up", "ctrl+u")
	PageDown        = define("page-down", moving, Panes|Lists, "page down", "page down", "ctrl+f", "pgdown")
	PageUp          = define("page-up", moving, Panes|Lists, "page up", "page up", "ctrl+b", "pgup")
	First           = define("goto-first", moving, Panes|Lists, "first", "first; after a number, that row or byte", "g", "home")
	Last            = define("goto-last", moving, Panes|Lists, "last", "last; after a number, that row or byte", "G", "end")
	NextSibling     = define("next-sibling", moving, Tree, "next sibling", "next value of the same container", "}")
	PreviousSibling = define("previous-sibling", moving, Tree, "previous sibling", "previous value of the same container", "{")
	Parent          = define("parent", moving, Tree, "parent", "value that contains this one", "H")
	AlignMiddle     = define("align-middle", moving, Tree|Bytes, "in the middle", "scroll the cursor to the middle", "z z")
	AlignTop        = define("align-top", moving, Tree|Bytes, "at the top", "scroll the cursor to the top", "z t")
	AlignBottom     = define("align-bottom", moving, Tree|Bytes, "at the bottom", "scroll the cursor to the bottom", "z b")
	Mark            = define("mark", moving, Panes, "mark", "mark this place with a letter; :mark names it", "m")
	GoToMark        = define("goto-mark", moving, Panes, "go to mark", "go to the place marked with a letter", "'")
	Back            = define("back", moving, Panes|Records, "back", "back to where you jumped from", "ctrl+o", "backspace")
	Forward         = define("forward", moving, Panes, "forward", "forward again", "ctrl+n")
	OtherPane       = define("other-pane", moving, Panes|Records, "other pane", "to the next pane: tree, bytes, inspector", "tab")
	PaneBefore      = define("pane-before", moving, Panes, "pane before", "the pane before", "shift+tab")
	Inspect         = define("inspector", moving, Panes, "inspector", "show or hide the inspector", "I")
	Draw            = define("draw", moving, Panes, "draw", "draw: a colour with sliders, numbers, points; an image or text in bytes", "o")
	ChangeOver      = define("change-over", moving, Panes, "bytes of a text", "bytes in place of the lines of a text, or its lines again", "X")
	Outer           = define("outer-buffer", moving, Panes|Records, "outer buffer", "buffer around this one", "<")
	Inner           = define("inner-buffer", moving, Panes|Records, "inner buffer", "buffer inside this one", ">")

	Toggle        = define("toggle", folding, Panes, "fold or unfold", "fold or unfold; edit; follow a reference", "enter")
	NextReference = define("next-reference", folding, Panes, "references", "next reference to the same value", "*")
	FoldAll       = define("fold-all", folding, Tree, "fold all", "fold everything; so does -, except on a number", "z m")
	UnfoldAll     = define("unfold-all", folding, Tree, "unfold all", "unfold everything; 3= three levels", "=")
	FoldSiblings  = define("fold-siblings", folding, Tree, "fold siblings", "fold this value and its siblings", "_")

	Search          = define("search", finding, Panes|Page, "search", "search keys, text, numbers; capitals only if typed", "/")
	Filter          = define("filter", finding, Panes|Places, "filter", "show only hits in the tree; esc shows all", "&")
	ListHits        = define("list-hits", finding, Panes, "list hits", "list all hits", "ctrl+g")
	NextSame        = define("next-same", finding, Panes, "same key", "next value with this key; so does +, except on a number", "z n")
	PreviousSame    = define("previous-same", finding, Panes, "same key", "previous value with this key", "#")
	NextHit         = define("next-hit", finding, Panes|Page, "next hit", "next hit of the search", "n")
	PreviousHit     = define("previous-hit", finding, Panes|Page, "previous hit", "previous hit of the search", "N")
	ListProblems    = define("list-problems", finding, Panes|Records, "problems", "list and repair problems", "!")
	NextProblem     = define("next-problem", finding, Panes, "next problem", "go to the next problem", "]")
	PreviousProblem = define("previous-problem", finding, Panes, "previous problem", "go to the previous problem", "[")
	NextChange      = define("next-change", finding, Panes|Differences, "next change", "next change, or difference after :diff", "c")
	PreviousChange  = define("previous-change", finding, Panes|Differences, "previous change", "previous change, or difference", "C")

	InsertBytes    = define("insert-bytes", bytes, Bytes, "insert", "insert bytes", "i")
	AppendBytes    = define("append-bytes", bytes, Bytes, "append", "insert bytes after the cursor", "a")
	OverwriteBytes = define("overwrite-bytes", bytes, Bytes, "overwrite", "overwrite bytes", "r")
	DeleteByte     = define("delete-byte", bytes, Bytes, "delete a byte", "delete a byte, or the selected ones", "x", "delete")
	SelectBytes    = define("select-bytes", bytes, Bytes, "select", "select bytes, by moving", "v")
	SelectAround   = define("select-field", bytes, Bytes, "select field", "select the field, its value, what is around it", "V")
	FillBytes      = define("fill-bytes", bytes, Bytes, "fill", "fill the selected bytes", "F")

	GoThere       = define("go-there", problems, Problems|Changes|Results|Sheet|Records, "go there", "go there", "enter")
	Repair        = define("repair", problems, Problems, "repair", "repair this one", "r")
	RepairAll     = define("repair-all", problems, Problems, "repair all", "repair all that are shown", "R")
	NextCause     = define("next-cause", problems, Problems, "next cause", "next possible cause", "l", "right")
	PreviousCause = define("previous-cause", problems, Problems, "previous cause", "previous possible cause", "h", "left")
	MergeSides    = define("merge-sides", problems, Problems, "merge by values", "merge both sides that git has left, by values", "m")
	ShowErrors    = define("show-errors", problems, Problems, "errors", "hide or show errors", "e")
	ShowWarnings  = define("show-warnings", problems, Problems, "warnings", "hide or show warnings", "w")
	ShowNotes     = define("show-notes", problems, Problems, "notes", "hide or show notes", "n")
	CloseList     = define("close-list", problems, Problems|Page, "close", "close, back to where you were", "esc", "!", "q")

	ShowTable      = define("table", finding, Tree, "table", "show as a table: rows and columns", "t")
	ShowRecords    = define("messages", finding, Panes, "messages", "list the messages of a capture", "L")
	SortColumn     = define("sort-column", tables, Sheet, "sort", "sort by the column, the other way, not", "s")
	FilterRows     = define("filter-rows", tables, Sheet|Records, "filter", "show only some rows", "&", "/")
	HideColumn     = define("hide-column", tables, Sheet, "hide", "hide the column", "-")
	ShowColumns    = define("show-columns", tables, Sheet, "show all", "show all columns", "=")
	FillDown       = define("fill-down", tables, Sheet, "fill down", "give the rows below, or selected, the same value", "f")
	SelectRows     = define("select-rows", tables, Sheet|Tree, "select", "select rows, by moving; again all, or none", "V")
	Frequencies    = define("frequencies", tables, Sheet, "frequency", "how often the column has each of its values", "F", "T")
	Narrow         = define("narrower", tables, Sheet, "narrower", "make the column narrower", "<")
	Widen          = define("wider", tables, Sheet, "wider", "make the column wider", ">")
	TakeDifference = define("take-difference", differing, Panes|Differences, "take", "take the value of the other file", "d o")
	GiveDifference = define("give-difference", differing, Panes|Differences, "give", "give the other file the value of this one", "d p")
	OnlyChanges    = define("only-changes", differing, Panes|Differences, "only changes", "show only what differs, or all", "z d")

	FollowNode   = define("follow-node", messages, Records, "same node", "only messages about the same node; esc goes back", "f n")
	FollowMethod = define("follow-method", messages, Records, "same method", "only calls of the same method", "f m")
	FollowPeer   = define("follow-peer", messages, Records, "same peer", "only messages from and to the same peer", "f p")
	FollowFlow   = define("follow-flow", messages, Records, "same connection", "only messages of the same connection, and what happens to it", "f c")
	ShowStats    = define("stats", messages, Records, "what takes the most", "add up the messages, with bytes per second", "s")

	NextDifference     = define("next-difference", merging, Conflicts, "next", "next conflict without a choice", "c", "] c")
	PreviousDifference = define("previous-difference", merging, Conflicts, "previous", "previous conflict without a choice", "C", "[ c")
	ChooseOurs         = define("choose-ours", merging, Conflicts, "ours", "keep the value of this file", "o")
	ChooseTheirs       = define("choose-theirs", merging, Conflicts, "theirs", "take the value of the other file", "t")
	ChooseBase         = define("choose-base", merging, Conflicts, "base", "take the value of the common base", "b")
	MakeMerge          = define("merge", merging, Conflicts, "merge", "merge, once all are chosen", "enter")

	Command     = define("command", program, Panes|Lists&^Page, "command", "type a command", ":")
	Palette     = define("palette", program, Panes|Lists&^Page, "palette", "find an action or command by its name", "ctrl+p")
	JumpTo      = define("jump-to", program, Panes, "jump", "find a value by parts of its path", "@")
	Save        = define("save", program, All, "save", "save; the old file stays as FILE~", "ctrl+s")
	Reload      = define("reload", program, Panes|Places, "reload", "open the file as it is now on disk", "R")
	Recover     = define("recover", program, Panes|Records, "unsaved edits", "take or discard edits that were not saved before", "U")
	TakeBackup  = define("backup", program, Panes|Problems, "intact copy", "take an intact copy in place of a damaged file", "B")
	Zoom        = define("zoom", program, Panes, "one pane", "this pane alone, or both", "Z")
	BorderLeft  = define("border-left", program, Panes, "border left", "more room for the bytes", "ctrl+w h", "ctrl+w left", "ctrl+w k", "ctrl+w up")
	BorderRight = define("border-right", program, Panes, "border right", "more room for the tree", "ctrl+w l", "ctrl+w right", "ctrl+w j", "ctrl+w down")
	BorderReset = define("border-reset", program, Panes, "as usual", "panes as wide as usual", "ctrl+w =")
	OtherFile   = define("other-file", program, Panes, "other file", "go to the other open file, of :e", "ctrl+^")
	ShowMessage = define("last-message", program, Panes, "last message", "the last message again, all of it", "M")
	Help        = define("help", program, Panes|Lists, "help", "all keys and commands", "?", "f1")
	Cancel      = define("cancel", program, Panes|Changes|Results|Sheet|Conflicts|Records, "stop", "stop work in progress, leave, close", "esc")
	Suspend     = define("suspend", program, All, "suspend", "to the shell; fg comes back", "ctrl+z")
	Quit        = define("quit", program, Panes|Changes|Results|Sheet|Conflicts|Records, "quit", "close the file, end the program", "q", "ctrl+c")
)

// Default returns all actions with their default keys.
func Default() Table { return slices.Clone(table) }

// Most are the actions that are used most, most important first.
var Most = []Action{Edit, Save, Undo, Redo, Search, NextHit, Filter, ShowTable, ListProblems, NextChange, GoThere, Repair, AddAfter, Delete, Copy, CopyAs, PasteAfter,
	InsertBytes, OverwriteBytes, SelectBytes, Right, Left, OtherPane, Command, Palette, CloseList, Quit}
