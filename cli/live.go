package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
	"varview/cli/live"
)

const listenLong = `Wait for packets at a port of this machine, and print their messages as they
come, as "varview packets" does. Nothing is answered. Only programs on this
machine can send something, unless --bind says at which address it listens.`

const listenExample = `  varview listen udp :7000
  varview listen tcp :7000 -o game.pcapng
  varview listen udp :7000 --bind 192.168.1.5`

func (e commands) listenCommand() *cobra.Command {
	var l liveFlags
	cmd := &cobra.Command{
		Use:               "listen udp|tcp :PORT",
		Short:             "Print the messages that are sent to a port",
		Long:              listenLong,
		Example:           listenExample,
		Args:              flags.Wants(2, 2, "udp or tcp, and :PORT"),
		ValidArgsFunction: completeNetworks,
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.live(cmd, &l, args[0], args[1], "")
		},
	}
	l.register(cmd)
	return cmd
}

const proxyLong = `Pass on what arrives at a port of this machine to a server, and the server's
answers back, and print the messages as they pass, as "varview packets" does.
The game connects to the port in place of the server. WebSocket goes through
tcp. Only programs on this machine can connect, unless --bind says at which
address it listens.

--fault tries the game against a bad network. A rule is a QUERY for messages, or
nothing for all packets, and what is done to a packet that contains such a
message; with tcp to the message itself, if it comes over WebSocket or after its
length:

  drop=10%       it is lost with this probability
  duplicate=5%   it comes twice
  corrupt=1%     one of its bytes is changed
  delay=50ms     it comes later; delay=50ms±20ms differs by up to 20ms
  reorder=2%     others overtake it (udp)

--seed makes the same faults again, if the packets are the same.`

const proxyExample = `  varview proxy udp :7000 game.example.com:7000
  varview proxy tcp :7000 localhost:8000 -o game.pcapng
  varview proxy udp :7000 localhost:8000 --fault 'method:move drop=10%'
  varview proxy udp :7000 localhost:8000 --fault 'delay=100ms drop=1%'`

func (e commands) proxyCommand() *cobra.Command {
	var l liveFlags
	cmd := &cobra.Command{
		Use:               "proxy udp|tcp :PORT HOST:PORT",
		Short:             "Pass packets on to a server, and print their messages",
		Long:              proxyLong,
		Example:           proxyExample,
		Args:              flags.Wants(3, 3, "udp or tcp, :PORT and the server's HOST:PORT"),
		ValidArgsFunction: completeNetworks,
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.live(cmd, &l, args[0], args[1], args[2])
		},
	}
	l.register(cmd)
	cmd.Flags().Uint64Var(&l.options.Seed, "seed", 0, "the `NUMBER` from which it is drawn which packets have faults; 0 for another each time")
	cmd.Flags().StringArrayVar(&l.faults, "fault", nil, "what to do with packets, as `RULE`; repeatable")
	return cmd
}

// liveFlags are the flags of listen and proxy.
type liveFlags struct {
	options live.Options
	flows   []string
	faults  []string
	bind    string
}

func (l *liveFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.options.JSON, "json", false, "one JSON object per message")
	cmd.Flags().StringVar(&l.options.Query, "query", "", "print only the messages for which a `QUERY` holds")
	cmd.Flags().StringArrayVar(&l.flows, "flow", nil, "what a flow carries, as `N=KIND`; repeatable")
	cmd.Flags().StringVar(&l.bind, "bind", "", "listen at this `ADDRESS` of the machine, which others can reach")
	l.options.Output.Register(cmd, "write the packets to `OUT` (pcapng)", "replace OUT if it exists")
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

// live runs listen or proxy.
func (e commands) live(cmd *cobra.Command, l *liveFlags, network, at, server string) error {
	if network != "udp" && network != "tcp" {
		return fmt.Errorf("%q is neither udp nor tcp", network)
	}
	address, err := listenAddress(at, l.bind)
	if err != nil {
		return err
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
	for _, rule := range l.faults {
		f, err := live.ParseFault(rule)
		if err != nil {
			return fmt.Errorf("--fault: %w", err)
		}
		l.options.Faults = append(l.options.Faults, f)
	}
	return live.Run(cmd.Context(), e.Env, network, address, server, l.options)
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
