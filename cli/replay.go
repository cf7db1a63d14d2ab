package cli

import (
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"varview/cli/live"
	"varview/cli/packets"
)

// replayFlags are the flags with which packets sends a capture again.
type replayFlags struct {
	on bool
	live.Replaying
}

func (r *replayFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.on, "replay", false, "send the UDP datagrams of the first sender of each flow again, to --to")
	cmd.Flags().StringVar(&r.To, "to", "", "where --replay sends them, as `HOST:PORT`")
	cmd.Flags().Float64Var(&r.Speed, "speed", 1, "how many times faster --replay is than the capture; 0 waits for nothing")
	cmd.Flags().BoolVar(&r.Far, "to-network", false, "--to may be another machine")
	for _, name := range []string{"to", "speed"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// isSet reports whether any flag is given that makes sense only with --replay.
func (r *replayFlags) isSet(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("to") || cmd.Flags().Changed("speed") || r.Far
}

// replay sends a capture again.
func (e commands) replay(cmd *cobra.Command, r *replayFlags, o *packets.Options, args []string) error {
	switch {
	case !r.on || r.To == "":
		return errors.New("--replay and --to HOST:PORT go together: --replay sends the capture again, --to says where")
	case len(args) > 1 || o.JSON || o.Stats || o.Wait || o.Extract >= 0:
		return errors.New("--replay sends whole flows without printing them: it can only be combined with --follow")
	case !(r.Speed >= 0):
		return fmt.Errorf("--speed %v: must be 0 or more", r.Speed)
	}
	if _, _, err := net.SplitHostPort(r.To); err != nil {
		return fmt.Errorf("--to %s: must be HOST:PORT", r.To)
	}
	r.Flow = o.Follow
	return live.Replay(cmd.Context(), e.Env, args[0], r.Replaying)
}
