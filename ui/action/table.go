package action

// The actions.
const (
	Down         Action = "down"
	Up           Action = "up"
	Right        Action = "right"
	Left         Action = "left"
	HalfPageDown Action = "half-page-down"
	HalfPageUp   Action = "half-page-up"
	PageDown     Action = "page-down"
	PageUp       Action = "page-up"
	First        Action = "goto-first"
	Last         Action = "goto-last"
	OtherPane    Action = "other-pane"
	PaneBefore   Action = "pane-before"
	Outer        Action = "outer-buffer"
	Inner        Action = "inner-buffer"
	Inspect      Action = "inspector"
	Draw         Action = "draw"
	ChangeOver   Action = "change-over"

	NextSibling     Action = "next-sibling"
	PreviousSibling Action = "previous-sibling"
	Parent          Action = "parent"
	AlignMiddle     Action = "align-middle"
	AlignTop        Action = "align-top"
	AlignBottom     Action = "align-bottom"

	Mark     Action = "mark"
	GoToMark Action = "goto-mark"

	Zoom        Action = "zoom"
	BorderLeft  Action = "border-left"
	BorderRight Action = "border-right"
	BorderReset Action = "border-reset"

	Toggle        Action = "toggle"
	NextReference Action = "next-reference"
	Back          Action = "back"
	Forward       Action = "forward"
	FoldAll       Action = "fold-all"
	UnfoldAll     Action = "unfold-all"
	FoldSiblings  Action = "fold-siblings"

	Search          Action = "search"
	Filter          Action = "filter"
	ListHits        Action = "list-hits"
	NextSame        Action = "next-same"
	PreviousSame    Action = "previous-same"
	NextHit         Action = "next-hit"
	PreviousHit     Action = "previous-hit"
	ListProblems    Action = "list-problems"
	NextProblem     Action = "next-problem"
	PreviousProblem Action = "previous-problem"
	NextChange      Action = "next-change"
	PreviousChange  Action = "previous-change"

	Edit        Action = "edit"
	Flip        Action = "flip"
	Rename      Action = "rename"
	EditOutside Action = "edit-outside"
	TypeOutside Action = "type-outside"
	AsText      Action = "as-text"
	Undo        Action = "undo"
	Redo        Action = "redo"
	Repeat      Action = "repeat"

	AddAfter    Action = "add-after"
	AddBefore   Action = "add-before"
	AddInside   Action = "add-inside"
	Duplicate   Action = "duplicate"
	Delete      Action = "delete"
	MoveDown    Action = "move-down"
	MoveUp      Action = "move-up"
	Copy        Action = "copy"
	Cut         Action = "cut"
	PasteAfter  Action = "paste-after"
	PasteBefore Action = "paste-before"

	InsertBytes    Action = "insert-bytes"
	AppendBytes    Action = "append-bytes"
	OverwriteBytes Action = "overwrite-bytes"
	DeleteByte     Action = "delete-byte"
	SelectBytes    Action = "select-bytes"
	SelectAround   Action = "select-field"
	FillBytes      Action = "fill-bytes"

	GoThere       Action = "go-there"
	Repair        Action = "repair"
	RepairAll     Action = "repair-all"
	NextCause     Action = "next-cause"
	PreviousCause Action = "previous-cause"
	ShowErrors    Action = "show-errors"
	ShowWarnings  Action = "show-warnings"
	ShowNotes     Action = "show-notes"
	CloseList     Action = "close-list"

	ShowTable          Action = "table"
	SortColumn         Action = "sort-column"
	FilterRows         Action = "filter-rows"
	HideColumn         Action = "hide-column"
	ShowColumns        Action = "show-columns"
	FillDown           Action = "fill-down"
	ExtendDown         Action = "extend-down"
	ExtendUp           Action = "extend-up"
	Increase           Action = "increase"
	Decrease           Action = "decrease"
	CopyAs             Action = "copy-as"
	SelectRows         Action = "select-rows"
	Frequencies        Action = "frequencies"
	Narrow             Action = "narrower"
	Widen              Action = "wider"
	NextDifference     Action = "next-difference"
	PreviousDifference Action = "previous-difference"
	TakeDifference     Action = "take-difference"
	GiveDifference     Action = "give-difference"
	OnlyChanges        Action = "only-changes"
	ChooseOurs         Action = "choose-ours"
	ChooseTheirs       Action = "choose-theirs"
	ChooseBase         Action = "choose-base"
	MakeMerge          Action = "merge"

	ShowRecords  Action = "messages"
	FollowNode   Action = "follow-node"
	FollowMethod Action = "follow-method"
	FollowPeer   Action = "follow-peer"
	ShowStats    Action = "stats"

	Command     Action = "command"
	Palette     Action = "palette"
	JumpTo      Action = "jump-to"
	Save        Action = "save"
	Reload      Action = "reload"
	Recover     Action = "recover"
	TakeBackup  Action = "backup"
	OtherFile   Action = "other-file"
	ShowMessage Action = "last-message"
	Help        Action = "help"
	Cancel      Action = "cancel"
	Suspend     Action = "suspend"
	Quit        Action = "quit"
)

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

func keys(names ...string) []string { return names }

// Default returns all actions with their default keys.
func Default() Table {
	return Table{
		{Down, moving, Panes | Lists, "down", "down", keys("j", "down")},
		{Up, moving, Panes | Lists, "up", "up", keys("k", "up")},
		{Right, moving, Panes | Sheet, "unfold", "unfold, or go in; one byte forward", keys("l", "right")},
		{Left, moving, Panes | Sheet, "fold", "fold, or go out; one byte back", keys("h", "left")},
		{HalfPageDown, moving, Panes | Lists, "half a page down", "half a page down", keys("ctrl+d")},
		{HalfPageUp, moving, Panes | Lists, "half a page up", "half a page up", keys("ctrl+u")},
		{PageDown, moving, Panes | Lists, "page down", "page down", keys("ctrl+f", "pgdown")},
		{PageUp, moving, Panes | Lists, "page up", "page up", keys("ctrl+b", "pgup")},
		{First, moving, Panes | Lists, "first", "first; after a number, that row or byte", keys("g", "home")},
		{Last, moving, Panes | Lists, "last", "last; after a number, that row or byte", keys("G", "end")},
		{NextSibling, moving, Tree, "next sibling", "next value of the same container", keys("}")},
		{PreviousSibling, moving, Tree, "previous sibling", "previous value of the same container", keys("{")},
		{Parent, moving, Tree, "parent", "value that contains this one", keys("H")},
		{AlignMiddle, moving, Tree | Bytes, "in the middle", "scroll the cursor to the middle", keys("z z")},
		{AlignTop, moving, Tree | Bytes, "at the top", "scroll the cursor to the top", keys("z t")},
		{AlignBottom, moving, Tree | Bytes, "at the bottom", "scroll the cursor to the bottom", keys("z b")},
		{Mark, moving, Panes, "mark", "mark this place with a letter; :mark names it", keys("m")},
		{GoToMark, moving, Panes, "go to mark", "go to the place marked with a letter", keys("'")},
		{Back, moving, Panes | Records, "back", "back to where you jumped from", keys("ctrl+o", "backspace")},
		{Forward, moving, Panes, "forward", "forward again", keys("ctrl+n")},
		{OtherPane, moving, Panes | Records, "other pane", "to the next pane: tree, bytes, inspector", keys("tab")},
		{PaneBefore, moving, Panes, "pane before", "the pane before", keys("shift+tab")},
		{Inspect, moving, Panes, "inspector", "show or hide the inspector", keys("I")},
		{Draw, moving, Panes, "draw", "draw colours, numbers, points; an image or text in bytes", keys("o")},
		{ChangeOver, moving, Panes, "bytes of a text", "bytes in place of the lines of a text, or its lines again", keys("X")},
		{Outer, moving, Panes | Records, "outer buffer", "buffer around this one", keys("<")},
		{Inner, moving, Panes | Records, "inner buffer", "buffer inside this one", keys(">")},

		{Toggle, folding, Panes, "fold or unfold", "fold or unfold; edit; follow a reference", keys("enter")},
		{NextReference, folding, Panes, "references", "next reference to the same value", keys("*")},
		{FoldAll, folding, Tree, "fold all", "fold everything; so does -, except on a number", keys("z m")},
		{UnfoldAll, folding, Tree, "unfold all", "unfold everything; 3= three levels", keys("=")},
		{FoldSiblings, folding, Tree, "fold siblings", "fold this value and its siblings", keys("_")},

		{Search, finding, Panes | Page, "search", "search keys, text, numbers; capitals only if typed", keys("/")},
		{Filter, finding, Panes, "filter", "show only hits in the tree; esc shows all", keys("&")},
		{ListHits, finding, Panes, "list hits", "list all hits", keys("ctrl+g")},
		{NextSame, finding, Panes, "same key", "next value with this key; so does +, except on a number", keys("z n")},
		{PreviousSame, finding, Panes, "same key", "previous value with this key", keys("#")},
		{NextHit, finding, Panes | Page, "next hit", "next hit of the search", keys("n")},
		{PreviousHit, finding, Panes | Page, "previous hit", "previous hit of the search", keys("N")},
		{ListProblems, finding, Panes | Records, "problems", "list and repair problems", keys("!")},
		{NextProblem, finding, Panes, "next problem", "go to the next problem", keys("]")},
		{PreviousProblem, finding, Panes, "previous problem", "go to the previous problem", keys("[")},
		{NextChange, finding, Panes, "next change", "next change, or difference after :diff", keys("c")},
		{PreviousChange, finding, Panes, "previous change", "previous change, or difference", keys("C")},

		{Edit, editing, Panes | Sheet, "edit", "edit the value, a container as text", keys("e")},
		{Flip, editing, Panes, "true or false", "true or false; fold or unfold", keys(" ")},
		{Increase, editing, Panes, "more", "add 1 to a number, 10+ adds 10", keys("+")},
		{Decrease, editing, Tree, "less", "take 1 from a number, 10- takes 10", keys("-")},
		{Rename, editing, Tree, "rename", "edit the key or name", keys("r")},
		{AsText, editing, Editor, "text or literal", "while typing: text or literal", keys("ctrl+t")},
		{EditOutside, editing, Tree, "editor", "edit the value in $VISUAL or $EDITOR", keys("ctrl+e")},
		{TypeOutside, editing, Editor, "editor", "while typing: in $VISUAL or $EDITOR", keys("ctrl+x")},
		{Undo, editing, Panes | Problems | Changes | Sheet, "undo", "take back the last step", keys("u")},
		{Redo, editing, Panes | Problems | Changes | Sheet, "redo", "make it again", keys("ctrl+r")},
		{Repeat, editing, Tree, "repeat", "repeat the last edit, here", keys(".")},

		{AddAfter, adding, Tree, "add after", "add a value after", keys("a")},
		{AddBefore, adding, Tree, "add before", "add a value before", keys("i")},
		{AddInside, adding, Tree | Sheet, "add inside", "add a value inside, at the end", keys("A")},
		{Duplicate, adding, Tree | Sheet, "duplicate", "put a copy after it", keys("D")},
		{Delete, adding, Tree | Sheet, "delete", "delete the value, or all selected", keys("d d", "delete")},
		{MoveDown, adding, Tree, "move down", "move the value down", keys("J", "alt+down")},
		{MoveUp, adding, Tree, "move up", "move the value up", keys("K", "alt+up")},
		{ExtendDown, adding, Tree, "select down", "select the next value too", keys("shift+down")},
		{ExtendUp, adding, Tree, "select up", "select the value before too", keys("shift+up")},
		{Copy, adding, Panes, "copy", "copy, to the clipboard too; bytes in a form", keys("y")},
		{CopyAs, adding, Tree | Sheet, "copy as", "copy as path, literal, JSON, GDScript, Markdown, CSV", keys("Y")},
		{Cut, adding, Tree, "cut", "copy and delete", keys("x")},
		{PasteAfter, adding, Tree | Bytes, "paste after", "paste after; over bytes", keys("p")},
		{PasteBefore, adding, Tree | Bytes, "paste before", "paste before", keys("P")},

		{InsertBytes, bytes, Bytes, "insert", "insert bytes", keys("i")},
		{AppendBytes, bytes, Bytes, "append", "insert bytes after the cursor", keys("a")},
		{OverwriteBytes, bytes, Bytes, "overwrite", "overwrite bytes", keys("r")},
		{DeleteByte, bytes, Bytes, "delete a byte", "delete a byte, or the selected ones", keys("x", "delete")},
		{SelectBytes, bytes, Bytes, "select", "select bytes, by moving", keys("v")},
		{SelectAround, bytes, Bytes, "select field", "select the field, its value, what is around it", keys("V")},
		{FillBytes, bytes, Bytes, "fill", "fill the selected bytes", keys("F")},

		{GoThere, problems, Problems | Changes | Results | Sheet | Records, "go there", "go there", keys("enter")},
		{Repair, problems, Problems, "repair", "repair this one", keys("r")},
		{RepairAll, problems, Problems, "repair all", "repair all that are shown", keys("R")},
		{NextCause, problems, Problems, "next cause", "next possible cause", keys("l", "right")},
		{PreviousCause, problems, Problems, "previous cause", "previous possible cause", keys("h", "left")},
		{ShowErrors, problems, Problems, "errors", "hide or show errors", keys("e")},
		{ShowWarnings, problems, Problems, "warnings", "hide or show warnings", keys("w")},
		{ShowNotes, problems, Problems, "notes", "hide or show notes", keys("n")},
		{CloseList, problems, Problems | Page, "close", "close, back to where you were", keys("esc", "!", "q")},

		{ShowTable, finding, Tree, "table", "show as a table: rows and columns", keys("t")},
		{ShowRecords, finding, Panes, "messages", "list the messages of a capture", keys("L")},
		{SortColumn, tables, Sheet, "sort", "sort by the column, the other way, not", keys("s")},
		{FilterRows, tables, Sheet | Records, "filter", "show only some rows", keys("&", "/")},
		{HideColumn, tables, Sheet, "hide", "hide the column", keys("-")},
		{ShowColumns, tables, Sheet, "show all", "show all columns", keys("=")},
		{FillDown, tables, Sheet, "fill down", "give the rows below, or selected, the same value", keys("f")},
		{SelectRows, tables, Sheet | Tree, "select", "select rows, by moving; again all, or none", keys("V")},
		{Frequencies, tables, Sheet, "frequency", "how often the column has each of its values", keys("F", "T")},
		{Narrow, tables, Sheet, "narrower", "make the column narrower", keys("<")},
		{Widen, tables, Sheet, "wider", "make the column wider", keys(">")},
		{TakeDifference, differing, Panes | Differences, "take", "take the value of the other file", keys("d o")},
		{GiveDifference, differing, Panes | Differences, "give", "give the other file the value of this one", keys("d p")},
		{OnlyChanges, differing, Panes | Differences, "only changes", "show only what differs, or all", keys("z d")},

		{FollowNode, messages, Records, "same node", "only messages about the same node; esc goes back", keys("f n")},
		{FollowMethod, messages, Records, "same method", "only calls of the same method", keys("f m")},
		{FollowPeer, messages, Records, "same peer", "only messages from and to the same peer", keys("f p")},
		{ShowStats, messages, Records, "what takes the most", "add up the messages, with bytes per second", keys("s")},

		{NextDifference, merging, Conflicts, "next", "next conflict without a choice", keys("c", "] c")},
		{PreviousDifference, merging, Conflicts, "previous", "previous conflict without a choice", keys("C", "[ c")},
		{ChooseOurs, merging, Conflicts, "ours", "keep the value of this file", keys("o")},
		{ChooseTheirs, merging, Conflicts, "theirs", "take the value of the other file", keys("t")},
		{ChooseBase, merging, Conflicts, "base", "take the value of the common base", keys("b")},
		{MakeMerge, merging, Conflicts, "merge", "merge, once all are chosen", keys("enter")},

		{Command, program, Panes | Lists&^Page, "command", "type a command", keys(":")},
		{Palette, program, Panes | Lists&^Page, "palette", "find an action or command by its name", keys("ctrl+p")},
		{JumpTo, program, Panes, "jump", "find a value by parts of its path", keys("@")},
		{Save, program, All, "save", "save; the old file stays as FILE~", keys("ctrl+s")},
		{Reload, program, Panes, "reload", "open the file as it is now on disk", keys("R")},
		{Recover, program, Panes | Records, "unsaved edits", "take or discard edits that were not saved before", keys("U")},
		{TakeBackup, program, Panes, "intact copy", "take an intact copy in place of a damaged file", keys("B")},
		{Zoom, program, Panes, "one pane", "this pane alone, or both", keys("Z")},
		{BorderLeft, program, Panes, "border left", "more room for the bytes", keys("ctrl+w h", "ctrl+w left", "ctrl+w k", "ctrl+w up")},
		{BorderRight, program, Panes, "border right", "more room for the tree", keys("ctrl+w l", "ctrl+w right", "ctrl+w j", "ctrl+w down")},
		{BorderReset, program, Panes, "as usual", "panes as wide as usual", keys("ctrl+w =")},
		{OtherFile, program, Panes, "other file", "go to the other open file, of :e", keys("ctrl+^")},
		{ShowMessage, program, Panes, "last message", "the last message again, all of it", keys("M")},
		{Help, program, Panes | Lists, "help", "all keys and commands", keys("?", "f1")},
		{Cancel, program, Panes | Changes | Results | Sheet | Conflicts | Records, "stop", "stop work in progress, leave, close", keys("esc")},
		{Suspend, program, All, "suspend", "to the shell; fg comes back", keys("ctrl+z")},
		{Quit, program, Panes | Changes | Results | Sheet | Conflicts | Records, "quit", "close the file, end the program", keys("q", "ctrl+c")},
	}
}
