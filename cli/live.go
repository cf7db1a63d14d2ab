package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
	"varview/cli/live"
	"varview/decoder"
	"varview/decoder/engine/background"
	"varview/model"
	"varview/ui"
)

const listenLong = `Wait for packets at a port of this machine, and print their messages as they
come, as "varview packets" does. With HOST:PORT of a server they are passed on
to it, and its answers back: the game connects to the port in place of the
server. WebSocket goes through tcp. Only programs on this machine can send
something, unless --bind says at which address it listens. proxy is another
name of listen.

--tui shows the messages in the terminal program, whose list grows while they
come. The command :fault changes there what happens to packets.

--fault tries the game against a bad network. A rule is a QUERY for messages, or
nothing for all packets, and what is done to a packet that contains such a
message; with tcp to the message itself, if it comes over WebSocket or after its
length:

  drop=10%       it is lost with this probability
  duplicate=5%   it comes twice
  corrupt=1%     one of its bytes is changed
  delay=50ms     it comes later; delay=50ms±20ms differs by up to 20ms
  reorder=2%     others overtake it (udp)

What a flow carries is known after some messages, which a QUERY does not reach;
--flow 1=godot3-mp says it from the start.

--seed makes the same faults again, if the packets are the same.`

const listenExample = `  varview listen udp :7000 game.example.com:7000
  varview listen udp :7000 localhost:8000 --tui
  varview listen tcp :7000 localhost:8000 -o game.pcapng
  varview listen udp :7000 localhost:8000 --fault 'method:move drop=10%'
  varview listen udp :7000 localhost:8000 --fault 'delay=100ms drop=1%'
  varview listen udp :7000 --bind 192.168.1.5`

func (e commands) listenCommand() *cobra.Command {
	var l liveFlags
	cmd := &cobra.Command{
		Use:               "listen udp|tcp :PORT [HOST:PORT]",
		Aliases:           []string{"proxy"},
		Short:             "Print what is sent to a port, and pass it on to a server",
		Long:              listenLong,
		Example:           listenExample,
		Args:              flags.Wants(2, 3, "udp or tcp, :PORT, and HOST:PORT of a server to pass on to"),
		ValidArgsFunction: completeNetworks,
		RunE: func(cmd *cobra.Command, args []string) error {
			server := ""
			if len(args) > 2 {
				server = args[2]
			}
			return e.live(cmd, &l, args[0], args[1], server)
		},
	}
	l.register(cmd)
	return cmd
}

// liveFlags are the flags of listen.
type liveFlags struct {
	options live.Options
	flows   []string
	faults  []string
	bind    string
	tui     bool
}

func (l *liveFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.options.JSON, "json", false, "one JSON object per message")
	cmd.Flags().StringVar(&l.options.Query, "query", "", "print only the messages for which a `QUERY` holds")
	cmd.Flags().StringArrayVar(&l.flows, "flow", nil, "what a flow carries, as `N=KIND`; repeatable")
	cmd.Flags().StringVar(&l.bind, "bind", "", "listen at this `ADDRESS` of the machine, which others can reach")
	l.options.Output.Register(cmd, "write the packets to `OUT` (pcapng)", "replace OUT if it exists")
	cmd.Flags().BoolVar(&l.tui, "tui", false, "show the messages in the terminal program while they come")
	cmd.Flags().Uint64Var(&l.options.Seed, "seed", 0, "the `NUMBER` from which it is drawn which packets have faults; 0 for another each time")
	cmd.Flags().StringArrayVar(&l.faults, "fault", nil, "what to do with packets, as `RULE`; repeatable")
	cmd.MarkFlagsMutuallyExclusive("tui", "json")
	cmd.MarkFlagsMutuallyExclusive("tui", "query")
	cmd.RegisterFlagCompletionFunc("flow", completeFlows)
	cmd.RegisterFlagCompletionFunc("query", cobra.NoFileCompletions)
	cmd.RegisterFlagCompletionFunc("bind", cobra.NoFileCompletions)
}

func completeNetworks(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []cobra.Completion{"udp", "tcp"}, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// live runs listen.
func (e commands) live(cmd *cobra.Command, l *liveFlags, network, at, server string) error {
	if network != "udp" && network != "tcp" {
		return fmt.Errorf("%q is neither udp nor tcp", network)
	}
	address, err := listenAddress(at, l.bind)
	if err != nil {
		return err
	}
	if server == "" && len(l.faults) > 0 {
		return errors.New("--fault is for packets that are passed on: give HOST:PORT of a server")
	}
	if server != "" {
		if _, _, err := net.SplitHostPort(server); err != nil {
			return fmt.Errorf("%s: the server is HOST:PORT, as in localhost:7000", server)
		}
	}
	if l.options.Output.Path == "-" {
		return errors.New("-o -: the messages go to standard output; the packets need a file")
	}
	l.options.Extract, l.options.Double = -1, e.Flags.Double
	if err := parseFlows(&l.options.Options, l.flows); err != nil {
		return err
	}
	if l.options.Faults, err = live.ParseFaults(l.faults); err != nil {
		return fmt.Errorf("--fault: %w", err)
	}
	if l.tui {
		return e.showLive(cmd.Context(), network, address, server, l)
	}
	return live.Run(cmd.Context(), e.Env, network, address, server, l.options)
}

// showLive shows in the terminal program what arrives at an address while it is recorded: in the file that the flags name, or
// in one that is deleted in the end.
func (e commands) showLive(ctx context.Context, network, address, server string, l *liveFlags) (err error) {
	if !e.isTerminal() {
		return errors.New("--tui needs a terminal")
	}
	o := l.options
	o.Silent = true
	if o.Output.Path == "" {
		folder, err := os.MkdirTemp("", "varview-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		o.Output.Path = filepath.Join(folder, "live.pcapng")
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer nowhere.Close()
	quiet := *e.Env
	quiet.Stdout = nowhere
	told := make(chan string, 64)
	o.Tell = func(format string, values ...any) {
		select {
		case told <- fmt.Sprintf(format, values...):
		default: // the program shows only the last line anyway
		}
	}
	began := make(chan *live.Session, 1)
	o.Began = func(s *live.Session) { began <- s }
	ctx, stop := context.WithCancel(ctx)
	var failed error
	running := background.Start(func() {
		if failed = live.Run(ctx, &quiet, network, address, server, o); failed != nil {
			o.Tell("%v", failed)
		}
	})
	defer func() {
		stop()
		running.Wait()
		err = cmp.Or(err, failed)
	}()
	var session *live.Session
	select {
	case session = <-began:
	case <-running.Done():
		return nil // with the reason
	}
	grows := &decoder.Growing{}
	defer grows.Close()
	doc, err := e.OpenDocument(ctx, o.Output.Path, decoder.Quick, model.Options{ReadOnly: true, Options: decoder.Options{Growing: grows}})
	if err != nil {
		return err
	}
	options := e.programOptions()
	options.Live = &ui.Live{Told: told, Rules: l.faults}
	if server != "" {
		options.Live.Fault = session.Fault
	}
	return e.runProgram(ctx, doc, options)
}

// listenAddress returns where to listen: on this machine only, unless bind says otherwise.
func listenAddress(at, bind string) (string, error) {
	if !strings.Contains(at, ":") {
		at = ":" + at
	}
	host, port, err := net.SplitHostPort(at)
	if _, err2 := strconv.ParseUint(port, 10, 16); cmp.Or(err, err2) != nil {
		return "", fmt.Errorf("%s: must be :PORT, with a port of up to 65535", at)
	}
	ip := net.ParseIP(host)
	switch {
	case bind != "" && host != "":
		return "", fmt.Errorf("%s: with --bind it is only :%s", at, port)
	case bind != "":
		if net.ParseIP(bind) == nil {
			return "", fmt.Errorf("--bind %s: must be an address of this machine, such as 192.168.1.5, or 0.0.0.0 for all", bind)
		}
		host = bind
	case host == "" || host == "localhost":
		host = "127.0.0.1"
	case ip == nil || !ip.IsLoopback():
		return "", fmt.Errorf("%s: others could reach that address: --bind %s allows it", at, host)
	}
	return net.JoinHostPort(host, port), nil
}
