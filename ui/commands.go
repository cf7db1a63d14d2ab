package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"varview/decoder"
	"varview/decoder/engine/tree"
	"varview/decoder/value/spelling"
	"varview/internal/state"
	"varview/model"
	"varview/model/diff"
	"varview/model/paths"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
)

// A command is what can be typed after ":".
type command struct {
	names []string // a ! at the end forces the command
	args  string   // shown in the help
	does  string   // "" for a command that the help mentions elsewhere
	run   func(arg string, force bool) tea.Cmd
	// completes offers what follows what has been typed of the argument; if that needs the file or the
	// disk, it runs in the background. nil for nothing.
	completes func(c *commandLine, typed string) dialog.Offer
}

// A commandLine runs what is typed after ":".
type commandLine struct {
	*desk.Desk
	list []command // commands in the order of the help
	goTo func(where string) tea.Cmd
}

// command returns the command of a name; nil if there is none.
func (c *commandLine) command(name string) *command {
	i := slices.IndexFunc(c.list, func(x command) bool { return slices.Contains(x.names, name) })
	if i < 0 {
		return nil
	}
	return &c.list[i]
}

// described returns the commands that have a line of their own in the help.
func (c *commandLine) described() []command {
	return slices.DeleteFunc(slices.Clone(c.list), func(x command) bool { return x.does == "" })
}

// plain returns a command without an argument.
func plain(run func() tea.Cmd) func(string, bool) tea.Cmd {
	return func(string, bool) tea.Cmd { return run() }
}

// with returns a command that cannot be forced.
func with(run func(arg string) tea.Cmd) func(string, bool) tea.Cmd {
	return func(arg string, _ bool) tea.Cmd { return run(arg) }
}

// near returns a command that reads files, with the names of those that are beside the open file and not in the working folder
// made paths.
func near(m *Model, run func(arg string) tea.Cmd) func(string, bool) tea.Cmd {
	return with(func(arg string) tea.Cmd {
		whole := m.commands.near(arg)
		if words := strings.Fields(arg); whole == arg && len(words) > 1 {
			for i, word := range words {
				words[i] = m.commands.near(word)
			}
			whole = strings.Join(words, " ")
		}
		return run(whole)
	})
}

// near returns the path of a file that is beside the open one; other names stay as they are.
func (c *commandLine) near(name string) string {
	beside := filepath.Join(filepath.Dir(c.Doc.Named()), name)
	if len(diff.OtherFiles(name)) == 0 || filepath.IsAbs(name) {
		return name
	}
	if _, err := os.Stat(name); err == nil {
		return name
	}
	if _, err := os.Stat(beside); err != nil {
		return name
	}
	return beside
}

// editCommands returns the commands that change or save something.
func editCommands(m *Model) []command {
	write := func(path string, force bool) tea.Cmd { return m.file.Write(path, force, false) }
	writeQuit := func(path string, force bool) tea.Cmd { return m.file.Write(path, force, true) }
	return []command{
		{[]string{"w", "write", "w!", "write!"}, "[FILE]", "save; :w! also over another file", write, (*commandLine).files},
		{[]string{"wq", "x", "wq!", "x!"}, "[FILE]", "save and quit", writeQuit, (*commandLine).files},
		{[]string{"set"}, "[PATH=]VALUE", "change a value; many: ..hp=*2, --where hp<5 +9", with(m.values.Set), (*commandLine).assignment},
		{[]string{"sort"}, "[[PATH] STEPS] [desc] [unique]", "sort the selected container, or that at a path: items count desc", with(m.values.Sort), nil},
		{[]string{"import-csv"}, "FILE", "import a CSV file into the selected container", near(m, m.values.ImportCSV), (*commandLine).nearFiles},
		{[]string{"type"}, "NAME", "change the type of a value: Vector3i", with(m.values.Retype), (*commandLine).types},
		{[]string{"convert", "convert!"}, "DIALECT [FILE]", "convert to another engine or version: godot4 new.save", m.convert, (*commandLine).conversions},
		{[]string{"changes"}, "[bytes]", "show what differs from the file, old and new; or the bytes", with(m.changes), nil},
		{[]string{"diff"}, "FILE", "show what differs; also saved, ~ or git:HEAD", near(m, m.diff), (*commandLine).nearFiles},
		{[]string{"merge"}, "BASE THEIRS", "merge the changes of another file: git:HEAD other.json", near(m, m.merge), (*commandLine).nearFiles},
		{[]string{"watch"}, "[CONDITION]", "watch for saves, or list them: player.gold>100; :unwatch ends", with(m.differ.Watch), nil},
		{[]string{"fault"}, "RULE or none", "lose, delay or spoil packets on their way", with(m.fault), nil},
		{[]string{"unwatch"}, "", "", plain(func() tea.Cmd { m.differ.Unwatch(); return nil }), nil},
		{[]string{"problems", "check"}, "", "list problems", plain(m.does[action.ListProblems]), nil},
		{[]string{"undo"}, "", "undo the last change", plain(m.does[action.Undo]), nil},
		{[]string{"redo"}, "", "redo the last change", plain(m.does[action.Redo]), nil},
		{[]string{"patch", "patch!"}, "FILE", "write the changes as a patch", m.file.WritePatch, (*commandLine).files},
		{[]string{"apply"}, "FILE", "make the changes of a patch", near(m, m.file.ApplyPatch), (*commandLine).nearFiles},
		{[]string{"export", "export!"}, "FILE [--text|--typed]", "write the values, or a table: .json .txt .csv .tsv .md", m.export, (*commandLine).exports},
		{[]string{"fill"}, "HEX", "fill the selected bytes: 00", with(m.hex.Fill), nil},
		{[]string{"bytes"}, "", "bytes in place of the lines of a text, or its lines", plain(m.does[action.ChangeOver]), nil},
		{[]string{"entropy"}, "", "show or hide the entropy of the bytes", plain(m.hex.ShowEntropy), nil},
		{[]string{"export-bytes", "export-bytes!"}, "FILE", "write the selected bytes to a file", m.hex.Export, (*commandLine).files},
		{[]string{"unwrap", "unwrap!"}, "FILE", "save the innermost buffer alone", m.file.Unwrap, (*commandLine).files},
	}
}

// export is :export. The extension of the file name determines the format.
func (m *Model) export(arg string, force bool) tea.Cmd {
	if write := m.tables.Writer(strings.ToLower(filepath.Ext(arg))); write != nil {
		return m.file.ExportTo(arg, force, write)
	}
	return m.file.Export(arg, force)
}

// convert is :convert DIALECT [FILE]. For a dialect with versions, the version is enough.
func (m *Model) convert(arg string, force bool) tea.Cmd {
	name, file, _ := strings.Cut(arg, " ")
	to, path := decoder.ConversionDialect(name), strings.TrimSpace(file)
	if name == "" {
		var all []string
		for _, d := range decoder.ConversionTargets(m.desk.Doc.Dialect) {
			all = append(all, d.Name)
		}
		return m.desk.Report(fmt.Errorf(":convert needs a dialect, and may have a file to write; of %s there are %s", m.desk.Doc.Dialect, cmp.Or(strings.Join(all, ", "), "none")))
	}
	if err := decoder.CheckConversion(to); err != nil {
		return m.desk.Report(fmt.Errorf(":convert %s: %w", name, err))
	}
	if path == "" {
		return m.values.Convert(to)
	}
	return m.file.Convert(to, path, force)
}

// changes is :changes: it shows what differs from the file, in the tree, or as bytes.
func (m *Model) changes(how string) tea.Cmd {
	switch d := m.desk; {
	case !d.Doc.IsModified():
		return d.Say("nothing is changed")
	case how == "bytes", d.Doc.Missing != nil, d.Doc.IsForeign(), d.Doc.Path() == "", d.Doc.ChangedBuffer() != d.Doc.Innermost():
		return m.find.ListChanges()
	case how != "":
		return d.Report(errors.New(":changes shows values; :changes bytes lists bytes"))
	}
	return m.differ.Changes(m.find.ListChanges)
}

// diff compares with another file, whose schemas are used for this one too.
func (m *Model) diff(what string) tea.Cmd {
	if m.desk.Doc.IsUnexplained() {
		return m.guess(what)
	}
	return m.file.WithSchemasOf(diff.OtherFiles(what), func() tea.Cmd { return m.differ.Show(what, nil) })
}

func (m *Model) merge(names string) tea.Cmd {
	return m.file.WithSchemasOf(diff.OtherFiles(strings.Fields(names)...), func() tea.Cmd { return m.differ.Merge(names) })
}

// otherCommands returns the commands that change nothing in the file.
func otherCommands(m *Model) []command {
	quit := func(_ string, force bool) tea.Cmd {
		if force {
			return m.file.QuitAnyway()
		}
		return m.file.Leave()
	}
	return []command{
		{[]string{"goto", "g"}, "OFFSET or PATH", "go to a byte, or to a value: 0x1f4, $.player.hp", with(m.find.GoTo), (*commandLine).places},
		{[]string{"find"}, "QUERY", "list the hits: key:qty <10", with(m.find.ListAll), (*commandLine).terms},
		{[]string{"e", "edit"}, "FILE", "open another file; this one stays open", near(m, m.file.OpenOther), (*commandLine).nearFiles},
		{[]string{"reveal"}, "", "show the file in its folder", plain(m.file.Reveal), nil},
		{[]string{"info"}, "", "say what the file is", plain(m.about), nil},
		{[]string{"mark"}, "NAME", "name this place of the file: boss", with(m.find.SetMark), (*commandLine).marks},
		{[]string{"unmark"}, "NAME", "forget the name of a place", with(m.find.DeleteMark), (*commandLine).marks},
		{[]string{"marks"}, "", "list the names of places", plain(m.find.ListMarks), nil},
		{[]string{"as"}, "DIALECT [FRAMING]", "read as another dialect: godot3 raw", with(m.file.ReadAs), (*commandLine).dialects},
		{[]string{"guess"}, "[FILE|LABEL=VALUE]...", "list what is noticed, what differs in files, or where values stand: gold=120", near(m, func(arg string) tea.Cmd { return m.guess(strings.Fields(arg)...) }), (*commandLine).nearFiles},
		{[]string{"describe"}, "NAME [TYPE]", "write the selected bytes into the description: gold u4", with(m.describe), nil},
		{[]string{"ksy"}, "FILE or none", "read by a description, and again when it is saved", near(m, m.file.ReadBy), (*commandLine).nearFiles},
		{[]string{"buffer", "b"}, "NUMBER", "show a buffer; the file is 0", with(m.find.GoToBuffer), (*commandLine).buffers},
		{[]string{"schema"}, "PATH", "read structs with schemas from GML", near(m, m.file.AddSchemas), (*commandLine).nearFiles},
		{[]string{"password"}, "", "ask for the password", with(m.file.AskPassword), nil},
		{[]string{"key"}, "", "ask for the key, in hex", with(m.file.AskKey), nil},
		{[]string{"unpack"}, "[SIZE]", "unpack what was put off, or more: up to 2G", with(m.file.Unpack), nil},
		{[]string{"theme"}, "NAME or FILE", "change the colours: gruvbox-light", with(m.changeTheme), (*commandLine).colours},
		{[]string{"reload"}, "", "open the file as it is now", plain(m.does[action.Reload]), nil},
		{[]string{"recover"}, "", "offer edits that were not saved before", plain(m.file.Recover), nil},
		{[]string{"restore"}, "", "put back what the file was before it was saved: FILE~", plain(func() tea.Cmd { return m.differ.Merge("saved ~") }), nil},
		{[]string{"backup"}, "", "take an intact copy in place of a damaged file", plain(m.file.AskBackup), nil},
		{[]string{"help", "h"}, "[COMMAND or KEY]", "show this help", with(m.explain), (*commandLine).topics},
		{[]string{"tutor"}, "", "learn it in 12 steps, on a save of its own", plain(m.teach), nil},
		{[]string{"quit", "q", "quit!", "q!"}, "", "quit; :q! also with unsaved changes", quit, nil},
	}
}

// ask opens the prompt for a command.
func (c *commandLine) ask() tea.Cmd { return c.askWith("") }

// askWith opens the prompt with some text already typed.
func (c *commandLine) askWith(typed string) tea.Cmd {
	p := dialog.NewPrompt(c, ":", c.take)
	p.Fill(typed)
	p.Complete, p.History = c.complete, c.State.Data().Commands
	p.Aside = func() (string, bool) {
		if p.Input.Value() != "" {
			return "", false
		}
		return "tab lists all   " + c.Doc.Hints().Commands, false
	}
	return c.Open(p)
}

// take runs what was typed, and remembers it. What is typed after a command that asks for a secret may be
// one, and is not remembered.
func (c *commandLine) take(typed string) tea.Cmd {
	name, _, _ := strings.Cut(typed, " ")
	cmd := c.run(typed)
	if name == "password" || name == "key" {
		return cmd
	}
	return tea.Batch(cmd, c.Remember(func(d *state.Data) { d.Commands.Add(typed) }))
}

// run runs what was typed after ":". An offset or a path by itself is a place to go to.
func (c *commandLine) run(typed string) tea.Cmd {
	if typed == "" {
		return nil
	}
	name, arg, _ := strings.Cut(typed, " ")
	if x := c.command(name); x != nil {
		return x.run(strings.TrimSpace(arg), strings.HasSuffix(name, "!"))
	}
	if strings.ContainsRune("$.[0123456789", rune(typed[0])) || strings.ContainsAny(name, ".[") && !strings.Contains(name, "=") {
		return c.goTo(typed)
	}
	var names []string
	for _, x := range c.list {
		names = append(names, x.names...)
	}
	err := fmt.Errorf("no command :%s; :help lists them", name)
	if meant := spelling.Nearest(name, names); strings.Contains(name, "=") {
		err = fmt.Errorf("no command :%s; :set %s changes a value", name, typed)
	} else if meant != "" {
		err = fmt.Errorf("no command :%s; did you mean :%s?", name, meant)
	}
	if arg != "" || strings.Contains(name, "=") {
		return c.Report(err)
	}
	return c.Resolve("$."+name, func(*tree.Node) tea.Cmd { return c.goTo("$." + name) }, func(error) tea.Cmd { return c.Report(err) })
}

// changeTheme is :theme.
func (m *Model) changeTheme(name string) tea.Cmd {
	was := m.theme
	m.theme = name
	if err := m.setTheme(true); err != nil || name == "" {
		m.theme = was
		if name == "" {
			err = fmt.Errorf(":theme needs a file, or one of %s", strings.Join(themes.Names(), ", "))
		}
		m.desk.Report(err)
	} else if m.background != nil {
		m.hasBackground(*m.background)
	}
	return nil
}

// palette finds actions and commands by name, and values after "@".
func (m *Model) palette(typed string) tea.Cmd {
	room, in := m.room(), m.desk.Dialogs.Top()
	_, isList := in.(dialog.Roomed)
	if _, does := in.(doer); isList && !does {
		room = 0
	}
	p := dialog.NewPrompt(m.desk, "› ", nil)
	p.Fill(typed)
	p.Aside = func() (string, bool) { return "enter does it   @ finds a value by parts of its path", false }
	p.Complete = func(typed string) dialog.Offer {
		if parts, isPath := strings.CutPrefix(typed, "@"); isPath {
			parts = strings.ReplaceAll(parts, ".", " ") // currency.gold is currency[&"gold"] too
			return m.commands.found(parts, func(ctx context.Context, b *model.Buffer) []paths.Path {
				return paths.With(ctx, b, strings.Fields(parts), maxOffered)
			})
		}
		all := m.pickable(room)
		return func(context.Context) dialog.Completion { return dialog.Completion{All: fitting(all, typed)} }
	}
	p.Take = func(c dialog.Candidate) tea.Cmd { return tea.Batch(m.remember(c.Text), m.pick(room, c.Text)) }
	return m.desk.Open(p)
}

// A doer does actions that are chosen by name.
type doer interface{ Do(action.Action) tea.Cmd }

// pickable returns the actions of a room and, where that is a pane, those of the tree, and all commands.
func (m *Model) pickable(room action.Rooms) (all []dialog.Candidate) {
	for _, e := range m.desk.Actions {
		inTree := room&action.Panes != 0 && e.Rooms&action.Tree != 0
		if (e.Rooms&room != 0 || inTree) && e.Action != action.Palette {
			c := candidate(e)
			if c.Help == strings.ReplaceAll(c.Text, "-", " ") {
				c.Help = ""
			}
			if e.Rooms&room == 0 {
				c.Help += " (in the tree)"
			}
			all = append(all, c)
		}
	}
	all = append(all, candidates(m.commands.described(), func(c command) dialog.Candidate {
		return dialog.Candidate{Text: ":" + c.names[0], Args: c.args, Help: c.does}
	})...)
	used := m.desk.State.Data().Picked // latest last
	most := func(c dialog.Candidate) int {
		return (slices.Index(action.Most, action.Action(c.Text)) + len(action.Most) + 1) % (len(action.Most) + 1)
	}
	slices.SortStableFunc(all, func(a, b dialog.Candidate) int {
		return cmp.Or(slices.Index(used, b.Text)-slices.Index(used, a.Text), most(a)-most(b))
	})
	return all
}

// otherWords are words that people look for in the palette, and that neither the names nor the help have.
var otherWords = map[string]string{
	":diff": "compare", ":restore": "revert undo all old version", ":reload": "revert", ":password": "decrypt encrypt unlock",
	":set": "replace double multiply all many", ":unpack": "unzip decompress", ":unwrap": "unzip decompress", ":theme": "dark light colours colors",
	":problems": "check checksum valid", ":goto": "jump", ":export": "spreadsheet csv", "table": "spreadsheet grid", "unfold-all": "expand",
	"fold-all": "collapse", "right": "expand", "left": "collapse", "mark": "bookmark", "next-problem": "next error", "previous-problem": "previous error",
	"inspector": "endian interpret types", "zoom": "full screen maximize",
}

// remember remembers what was chosen, except paths.
func (m *Model) remember(chosen string) tea.Cmd {
	if strings.HasPrefix(chosen, "$") {
		return nil
	}
	return m.desk.RememberAlways(func(s *state.Data) { s.Picked.Add(chosen) })
}

// named are candidates that can be searched by name.
type named []dialog.Candidate

// String implements fuzzy.Source.
func (n named) String(i int) string { return n[i].Text }

// Len implements fuzzy.Source.
func (n named) Len() int { return len(n) }

// fitting returns the candidates whose names contain the typed letters, best first, and then those whose
// help contains the words. A name that is what was typed, or begins so, precedes the others.
func fitting(all []dialog.Candidate, typed string) (fit []dialog.Candidate) {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 0 {
		return all
	}
	byName := map[int]bool{}
	for _, x := range fuzzy.FindFrom(strings.Join(words, ""), named(all)) {
		fit, byName[x.Index] = append(fit, all[x.Index]), true
	}
	for i, c := range all {
		lacks := func(word string) bool {
			return !strings.Contains(strings.ToLower(c.Help+" "+cmp.Or(c.Also, otherWords[c.Text])), word)
		}
		if !byName[i] && !slices.ContainsFunc(words, lacks) {
			fit = append(fit, c)
		}
	}
	begins := func(c dialog.Candidate) int {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(c.Text, ":"), words[0])
		switch {
		case !ok || len(words) > 1:
			return 2
		case rest != "":
			return 1
		}
		return 0
	}
	slices.SortStableFunc(fit, func(a, b dialog.Candidate) int { return begins(a) - begins(b) })
	return fit
}

// pick does what was chosen: an action, a command, or going to a path. For a command that needs an
// argument, typing continues.
func (m *Model) pick(room action.Rooms, chosen string) tea.Cmd {
	name, isCommand := strings.CutPrefix(chosen, ":")
	switch {
	case strings.HasPrefix(chosen, "$"):
		return m.find.GoTo(chosen)
	case !isCommand:
		does := func(e action.Entry) bool { return e.Action == action.Action(chosen) && e.Rooms&room != 0 }
		if room&action.Panes != 0 && !slices.ContainsFunc(m.desk.Actions, does) {
			m.desk.SetFocus(desk.OnTree)
			room = action.Tree
		}
		return m.do(room, action.Action(chosen))
	}
	if args := m.commands.command(name).args; args == "" || strings.HasPrefix(args, "[") {
		return m.commands.run(name)
	}
	return m.commands.askWith(name + " ")
}

// do does an action in a room.
func (m *Model) do(room action.Rooms, a action.Action) tea.Cmd {
	if slices.Contains(everywhere, a) {
		return m.Do(a)
	}
	if x, ok := m.desk.Dialogs.Top().(doer); ok {
		return x.Do(a)
	}
	switch room {
	case action.Bytes:
		return m.hex.Do(a)
	case action.Inspector:
		return m.inspect.Do(a)
	}
	return m.tree.Do(a)
}
