package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/internal/atomicfile"
	"varview/internal/filelock"
)

const (
	maxSize  = 4 << 20         // bytes of the file; a larger one is not ours
	patience = 2 * time.Second // for other programs that write the file
)

// A Store holds what one run of the program remembers. Its methods are for one goroutine, except Save,
// which any may call.
type Store struct {
	path string // path of the file; "" if nothing is kept on disk
	data Data

	mu      sync.Mutex
	changes []func(*Data) // changes that are not on disk yet
}

// InMemory returns a store whose content is lost when the program ends.
func InMemory() *Store { return &Store{} }

// IsKept reports whether the content is kept between runs.
func (s *Store) IsKept() bool { return s != nil && s.path != "" }

// Open reads what is kept in a folder. If that cannot be read, the store is in memory and the error says
// why; a file without anything useful counts as missing.
func Open(folder string) (*Store, error) {
	path := filepath.Join(folder, "state.json")
	data, err := read(path)
	if err != nil {
		return InMemory(), err
	}
	return &Store{path: path, data: data}, nil
}

// Data returns what is remembered. It may be read until the next change.
func (s *Store) Data() *Data { return &s.data }

// Remember makes a change. The next Save repeats it on what other programs have written since, so change
// must not depend on any other state.
func (s *Store) Remember(change func(*Data)) {
	change(&s.data)
	if s.path == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = append(s.changes, change)
}

// RememberForNow makes a change that is never written, because it is about the content of an encrypted
// file.
func (s *Store) RememberForNow(change func(*Data)) { change(&s.data) }

// Save writes the changes. After an error the next call tries again.
func (s *Store) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.changes) == 0 {
		return nil
	}
	unlock, err := lock(s.path + ".lock")
	if err != nil {
		return fmt.Errorf("what is remembered cannot be written: %w", err)
	}
	defer unlock()
	data, err := read(s.path)
	if err != nil {
		return err
	}
	for _, change := range s.changes {
		change(&data)
	}
	if err := write(s.path, data); err != nil {
		return fmt.Errorf("what is remembered is %w", err)
	}
	s.changes = nil
	return nil
}

// lock waits until no other program writes the file.
func lock(path string) (unlock func() error, err error) {
	f, err := openfile.Open(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		ok, err := filelock.Try(f)
		switch {
		case ok, err != nil: // a file system without locks: each change is small and soon over
			return f.Close, nil
		case time.Now().After(end):
			f.Close()
			return nil, errors.New("another program has locked it")
		}
	}
}

// read reads the file. A damaged file counts as empty.
func read(path string) (Data, error) {
	empty := Data{Version: version}
	content, err := source.ReadRegular(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if errors.Is(err, source.ErrTooLarge) {
		return empty, nil
	}
	if err != nil {
		return empty, fmt.Errorf("what is remembered cannot be read: %w", err)
	}
	data := Data{}
	if json.Unmarshal(content, &data) != nil {
		return empty, nil
	}
	if data.Version != version {
		return empty, fmt.Errorf("what is remembered comes from another version of varview (%d, this one has %d): nothing is kept in this run; %s can be deleted", data.Version, version, path)
	}
	return data, nil
}

func write(path string, data Data) error {
	return atomicfile.Replace(context.Background(), path, atomicfile.Options{Mode: 0o600}, func(_ context.Context, f *os.File) error {
		e := json.NewEncoder(f)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(data)
	})
}
