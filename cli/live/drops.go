package live

import (
	"os"
	"strconv"
	"strings"
)

// readBuffer is the size of the receive buffer that is asked for, in bytes. The system may grant less.
const readBuffer = 8 << 20

// drops returns how many datagrams the system has dropped because the receive buffers of sockets at some local ports were full;
// 0 where it does not say.
func drops(ports map[uint16]bool) (n int64) {
	for _, name := range []string{"/proc/net/udp", "/proc/net/udp6"} {
		b, _ := os.ReadFile(name)
		for line := range strings.Lines(string(b)) {
			cells := strings.Fields(line)
			if len(cells) < 13 {
				continue
			}
			port, err := strconv.ParseUint(cells[1][strings.LastIndexByte(cells[1], ':')+1:], 16, 16)
			dropped, failed := strconv.ParseInt(cells[len(cells)-1], 10, 64)
			if err == nil && failed == nil && ports[uint16(port)] {
				n += dropped
			}
		}
	}
	return n
}
