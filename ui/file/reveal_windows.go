package file

import (
	"os/exec"
	"syscall"
)

// revealing returns the command that shows a file in its folder. Explorer wants the quotes in the middle of the argument.
func revealing(path string) *exec.Cmd {
	cmd := exec.Command("explorer")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `explorer /select,"` + path + `"`}
	return cmd
}
