package ui

import (
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/jobs"
)

// Live is what is known of a recording that grows while the program shows it.
type Live struct {
	Told  <-chan string              // what happens, a line each
	Rules []string                   // what is done to packets that are passed on
	Fault func(rules []string) error // replaces the rules; nil if nothing is passed on
}

// told waits for the next line about the recording, and shows it.
func (m *Model) told() tea.Cmd {
	if m.live == nil {
		return nil
	}
	told, ctx := m.live.Told, m.desk.Ctx
	return jobs.Alone("listening", func() func() tea.Cmd {
		select {
		case line := <-told:
			return func() tea.Cmd {
				m.desk.Say(line)
				return m.told()
			}
		case <-ctx.Done():
			return nil
		}
	})
}

// fault is :fault: it adds a rule for packets, says which there are, or ends them.
func (m *Model) fault(rule string) tea.Cmd {
	switch {
	case m.live == nil || m.live.Fault == nil:
		return m.desk.Report(errors.New(":fault is for packets on their way: varview listen udp :PORT HOST:PORT --tui"))
	case rule != "":
		var rules []string
		if rule != "none" {
			rules = append(slices.Clone(m.live.Rules), rule)
		}
		if err := m.live.Fault(rules); err != nil {
			return m.desk.Report(err)
		}
		m.live.Rules = rules
	}
	if len(m.live.Rules) == 0 {
		return m.desk.Say("packets are passed on as they come; :fault drop=10% loses some")
	}
	return m.desk.Say("faults: " + strings.Join(m.live.Rules, "; ") + "; :fault none ends them")
}
