package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
	"varview/cli/packets"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

const packetsLong = `Print the messages of Godot's networking in a capture (pcap or pcapng, also
compressed): a line each, with who sends it to whom, the node, the method and
the values. What a flow carries is detected; if that fails, --flow sets it. Ids
of paths are shown as paths if the capture has the messages that name them.

A QUERY is in the language of "varview find", with other prefixes:

  method:move            the name or number of a method, with * and ?
  kind:rpc kind:sync     the kind of a message
  from:1 to:2117         the id of a peer
  path:*Player*          the node
  size:>1000 frame:12 flow:3 channel:2 src:10.0.0.1 dst: transport:enet
  has:problem            a problem that "varview check" reports
  gold "iron sword"      a text in paths, names and values
  size>9 && kind!=rpc    the same as "size:>9 -kind:rpc"
  x:1b 00 ?? ff          bytes

Godot 4 sends no names of methods. --project reads them from the game's scripts,
and FILE.names may have others: lines of a node, a number and a name.

--stats sums up the messages that match the query, calls by their method, and
shows which of them take the most bytes. --follow prints the full content of the
messages of a flow. "varview check" lists all problems of a capture, also in
packets that carry no message. The exit status is 1 if there is no message.

A capture that comes through a pipe is printed as it comes (FILE is -); --wait
goes on at the end of a file that grows. "varview listen" needs no capture.`

const packetsExample = `  varview packets game.pcapng
  varview packets game.pcapng 'method:move from:1 -has:problem'
  varview packets --stats game.pcapng
  varview packets --json game.pcapng kind:rpc | jq -r .path
  varview packets --parquet messages.parquet game.pcapng
  varview packets --flow 3=godot4-mp game.pcapng
  tcpdump -i lo -U -w - udp port 7000 | varview packets -
  varview packets --extract 12 -o packet.bin game.pcapng`

func (e commands) packetsCommand() *cobra.Command {
	var o packets.Options
	var flows []string
	cmd := &cobra.Command{
		Use:               "packets FILE [QUERY]",
		Short:             "List the messages of Godot's networking in a capture",
		Long:              packetsLong,
		Example:           packetsExample,
		Args:              flags.Wants(1, 2, "a FILE, and perhaps a QUERY"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPackets(cmd, &o, flows); err != nil {
				return err
			}
			o.Double = e.Flags.Double
			query := ""
			if len(args) > 1 {
				query = args[1]
			}
			return packets.Run(cmd.Context(), e.Env, args[0], query, o)
		},
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "one JSON object per message, with --stats per method")
	cmd.Flags().StringVar(&o.Parquet.Path, "parquet", "", "write the messages to `OUT` as Parquet, a row each with what --json has; - for standard output")
	cmd.Flags().BoolVar(&o.Stats, "stats", false, "add up the messages by kind and method")
	cmd.Flags().BoolVar(&o.Flows, "flows", false, "the conversations, a line for each side: bytes, what is sent again or dropped, round trips")
	cmd.Flags().DurationVar(&o.Every, "every", 0, "with --flows, lines for each `TIME`, such as 1s")
	cmd.Flags().BoolVar(&o.CSV, "csv", false, "messages or conversations as CSV")
	cmd.Flags().StringSliceVar(&o.Columns, "columns", nil, "the columns of the list, as `NAME,…`: "+strings.Join(packets.ColumnNames(), " "))
	cmd.Flags().BoolVar(&o.Fold, "fold", false, "leave out copies of messages that a server passes on")
	cmd.Flags().BoolVar(&o.Wait, "wait", false, "at the end of FILE wait for more packets")
	cmd.Flags().IntVar(&o.Follow, "follow", 0, "print all that the messages of flow number `FLOW` say")
	cmd.Flags().StringArrayVar(&flows, "flow", nil, "what a flow carries, as `N=KIND`; repeatable")
	cmd.Flags().IntVar(&o.Extract, "extract", -1, "write the payload of the message with the number `N` to OUT")
	o.Output.Register(cmd, "write what --extract takes out to `OUT`, - for standard output", "replace OUT if it exists")
	for _, name := range []string{"follow", "extract"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	cmd.RegisterFlagCompletionFunc("flow", completeFlows)
	return cmd
}

// checkPackets parses the flags of packets and refuses those that cannot be combined.
func checkPackets(cmd *cobra.Command, o *packets.Options, flows []string) error {
	switch {
	case cmd.Flags().Changed("follow") && o.Follow < 1:
		return fmt.Errorf("--follow: flows are counted from 1, not %d", o.Follow)
	case cmd.Flags().Changed("extract") && o.Extract < 0:
		return fmt.Errorf("--extract: messages are counted from 0, not %d", o.Extract)
	case (o.Extract >= 0) != (o.Output.Path != ""):
		return errors.New("--extract N and -o OUT go together: the message and the file for its bytes")
	case o.Extract >= 0 && (o.JSON || o.Stats || o.Follow > 0), o.Stats && o.Follow > 0, o.JSON && o.Follow > 0:
		return errors.New("--stats, --follow and --extract are different outputs; one at a time")
	}
	if err := checkLists(o); err != nil {
		return err
	}
	o.Parquet.Force = o.Output.Force
	return parseFlows(o, flows)
}

// checkLists refuses forms of the list that cannot be combined with another output.
func checkLists(o *packets.Options) error {
	isNoList := o.Stats || o.Extract >= 0 || o.Follow > 0
	toParquet := o.Parquet.Path != ""
	isOther := isNoList || o.JSON || toParquet
	switch {
	case toParquet && (isNoList || o.JSON):
		return errors.New("--parquet cannot be combined with another output")
	case o.Flows && (isNoList || toParquet || o.Columns != nil):
		return errors.New("--flows cannot be combined with another output")
	case o.Every != 0 && !o.Flows, o.Every < 0:
		return errors.New("--every divides the lines of --flows by time, as in --flows --every 1s")
	case o.CSV && isOther:
		return errors.New("--csv cannot be combined with another output")
	case o.Columns != nil && isOther:
		return errors.New("--columns is for the list and for --csv")
	}
	return nil
}

// parseFlows parses the values of --flow.
func parseFlows(o *packets.Options, flows []string) error {
	o.Transports, o.Protocols = map[int]payload.Transport{}, map[int]message.Protocol{}
	for _, f := range flows {
		if err := parseFlow(o, f); err != nil {
			return err
		}
	}
	return nil
}

// parseFlow parses N=KIND, where the kind is a transport or what it carries.
func parseFlow(o *packets.Options, s string) error {
	number, kind, _ := strings.Cut(s, "=")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return fmt.Errorf("--flow %s: must be N=KIND with the number of a flow, such as 3=enet", s)
	}
	if p, ok := message.ParseProtocol(kind); ok {
		o.Protocols[n] = p
		return nil
	}
	if t, ok := payload.ParseTransport(kind); ok {
		o.Transports[n] = t
		return nil
	}
	return fmt.Errorf("--flow %s: there is no kind %q; the kinds are %s", s, kind, strings.Join(flowKinds(), ", "))
}

// flowKinds lists the kinds that --flow accepts.
func flowKinds() (kinds []string) {
	for _, p := range message.Protocols() {
		kinds = append(kinds, p.String())
	}
	for t := payload.Unknown + 1; t.String() != payload.Unknown.String(); t++ {
		kinds = append(kinds, t.String())
	}
	return kinds
}

func completeFlows(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	number, _, _ := strings.Cut(typed, "=")
	var all []cobra.Completion
	for _, kind := range flowKinds() {
		all = append(all, number+"="+kind)
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
