package atomicfile

import (
	"os"
	"runtime"
	"testing"
)

const isWindows = runtime.GOOS == "windows"

// TestMain lets tests start this program again, to be killed or to run as another
// user.
func TestMain(m *testing.M) {
	if os.Getenv(orderVariable) != "" {
		os.Exit(carryOut())
	}
	os.Exit(m.Run())
}
