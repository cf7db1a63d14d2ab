package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// A command is what can be typed after ":".
type command struct {
	names []string
	args  string // shown in the help
	does  string // "" for one that the help mentions elsewhere
	run   func(m *Model, arg string) tea.Cmd
}

// commands lists them in the order of the help.
func commands() []command {
	return append(editCommands(), []command{
		{[]string{"goto", "g"}, "OFFSET or PATH", "go to a byte, or to a value", (*Model).goTo},
		{[]string{"as"}, "DIALECT [FRAMING]", "read as another dialect", (*Model).readAs},
		{[]string{"buffer", "b"}, "NUMBER", "show a buffer; the file is 0", (*Model).goToBuffer},
		{[]string{"schema"}, "PATH", "read structs with schemas from GML", (*Model).addSchemas},
		{[]string{"password"}, "", "ask for the password", func(m *Model, arg string) tea.Cmd { return m.askSecret(arg, m.passwordPrompt) }},
		{[]string{"key"}, "", "ask for the key, in hex", func(m *Model, arg string) tea.Cmd { return m.askSecret(arg, keyPrompt) }},
		{[]string{"unpack"}, "[SIZE]", "unpack what was put off, or more: up to 2G", (*Model).unpack},
		{[]string{"theme"}, "dark, light, FILE", "change the colours", (*Model).changeTheme},
		{[]string{"reload"}, "", "open the file as it is now", func(m *Model, _ string) tea.Cmd { return m.askReload() }},
		{[]string{"recover"}, "", "offer edits that were not saved before", func(m *Model, _ string) tea.Cmd { return m.findUnsaved(true) }},
		{[]string{"help", "h"}, "", "show this help", func(m *Model, _ string) tea.Cmd { m.help = newHelp(m.keys, &m.styles); return nil }},
		{[]string{"quit", "q"}, "", "leave; :q! also with changes", func(m *Model, _ string) tea.Cmd { return m.leave() }},
		{[]string{"quit!", "q!"}, "", "", func(m *Model, _ string) tea.Cmd { return m.quitAnyway() }},
	}...)
}

// editCommands are those that change or save something.
func editCommands() []command {
	forced := func(run func(*Model, string, bool) tea.Cmd, force bool) func(*Model, string) tea.Cmd {
		return func(m *Model, arg string) tea.Cmd { return run(m, arg, force) }
	}
	write := func(m *Model, path string, force bool) tea.Cmd { return m.write(path, force, false) }
	writeQuit := func(m *Model, path string, force bool) tea.Cmd { return m.write(path, force, true) }
	return []command{
		{[]string{"w", "write"}, "[FILE]", "save; :w! also over another file", forced(write, false)},
		{[]string{"w!", "write!"}, "[FILE]", "", forced(write, true)},
		{[]string{"wq", "x"}, "[FILE]", "save and leave", forced(writeQuit, false)},
		{[]string{"wq!", "x!"}, "[FILE]", "", forced(writeQuit, true)},
		{[]string{"set"}, "[PATH=]VALUE", "change a value", (*Model).set},
		{[]string{"type"}, "NAME", "change the type of a value", (*Model).retype},
		{[]string{"convert"}, "VERSION", "convert to another version of Elephant", (*Model).convert},
		{[]string{"changes"}, "", "list what differs from the file", func(m *Model, _ string) tea.Cmd { return m.listChanges() }},
		{[]string{"problems"}, "", "list problems", func(m *Model, _ string) tea.Cmd { return m.listProblems() }},
		{[]string{"undo"}, "", "undo the last change", func(m *Model, _ string) tea.Cmd { return m.undo() }},
		{[]string{"redo"}, "", "redo the last change", func(m *Model, _ string) tea.Cmd { return m.redo() }},
		{[]string{"patch"}, "FILE", "write the changes as a patch", forced((*Model).writePatch, false)},
		{[]string{"patch!"}, "FILE", "", forced((*Model).writePatch, true)},
		{[]string{"apply"}, "FILE", "make the changes of a patch", (*Model).applyPatch},
		{[]string{"unwrap"}, "FILE", "save the innermost buffer alone", forced((*Model).unwrap, false)},
		{[]string{"unwrap!"}, "FILE", "", forced((*Model).unwrap, true)},
	}
}

// command runs what was typed after ":". An offset or a path alone is a place to go
// to.
func (m *Model) command(typed string) tea.Cmd {
	if typed == "" {
		return nil
	}
	name, arg, _ := strings.Cut(typed, " ")
	for _, c := range commands() {
		for _, n := range c.names {
			if n == name {
				return c.run(m, strings.TrimSpace(arg))
			}
		}
	}
	if strings.ContainsRune("$.[0123456789", rune(typed[0])) {
		return m.goTo(typed)
	}
	m.message = message{fmt.Sprintf("no command :%s; :help lists them", name), true}
	return nil
}
