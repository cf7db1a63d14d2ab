package atomicfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// orderVariable is set in children, which read their order from standard input.
const orderVariable = "ATOMICFILE_TEST_ORDER"

// An order is a replacement that a child process makes.
type order struct {
	Path, Backup string
	New          bool
	Content      string
	KillAt       string // step before which the child kills itself; "half" is in the middle of writing, "end" after all steps

	HoldAt  string // step before which the child writes a byte and waits to be killed
	InPlace bool

	User int // user and group that the child becomes before it begins, 0 to stay

	Tmpfs    string // folder where the child mounts a small file system first
	Room     int    // its size in bytes
	Old      string // content that Path gets then, if it is to exist
	Bound    bool   // something is mounted on Path, so that it cannot be replaced
	ReadOnly bool   // of the small file system, once Path exists
}

// A result is the report of a child.
type result struct {
	Error   string
	Offered bool     // Error.InPlace
	Content string   // of Path, as the child saw it afterwards
	Kept    string   // content of Backup, if there is one
	Mode    string   // of Backup
	Names   []string // in the folders of Path and Backup
}

// carryOut carries out an order in a child.
func carryOut() (status int) {
	var o order
	err := json.NewDecoder(os.Stdin).Decode(&o)
	if err == nil {
		err = o.prepare()
	}
	if err != nil {
		fmt.Println(err)
		return 3
	}
	reached := func(step string) error {
		if step == o.KillAt {
			killSelf()
		}
		if o.HoldAt != "" && step == o.HoldAt {
			os.Stdout.WriteString("!")
			time.Sleep(time.Hour)
		}
		return nil
	}
	options := Options{Backup: o.Backup, New: o.New, InPlace: o.InPlace, Size: int64(len(o.Content)), step: reached}
	err = Replace(context.Background(), o.Path, options, func(_ context.Context, f *os.File) error {
		half := len(o.Content) / 2
		if _, err := f.WriteString(o.Content[:half]); err != nil {
			return err
		}
		reached("half")
		_, err := f.WriteString(o.Content[half:])
		return err
	})
	reached("end")
	var r result
	if err != nil {
		r.Error = err.Error()
		var e *Error
		r.Offered = errors.As(err, &e) && e.InPlace
	}
	r.record(o)
	json.NewEncoder(os.Stdout).Encode(r)
	return 0
}

// record records the files that exist.
func (r *result) record(o order) {
	content, _ := os.ReadFile(o.Path)
	r.Content = string(content)
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Path), "*"))
	if o.Backup != "" {
		content, _ = os.ReadFile(o.Backup)
		r.Kept = string(content)
		if info, err := os.Stat(o.Backup); err == nil {
			r.Mode = info.Mode().String()
		}
		there, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Backup), "*"))
		names = append(names, there...)
	}
	for _, name := range names {
		r.Names = append(r.Names, filepath.Base(name))
	}
}

// child returns the command that carries out an order.
func child(t *testing.T, o order) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), orderVariable+"=1")
	cmd.Stdin = bytes.NewReader(text)
	cmd.Stderr = os.Stderr
	return cmd
}

// results runs a child that is not killed.
func results(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r
}
