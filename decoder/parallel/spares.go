package parallel

import "sync"

// Spares are things that jobs use again, one after the other. Other than in a sync.Pool they
// stay: there are never more than jobs at the same time.
type Spares[T any] struct {
	New  func() T
	mu   sync.Mutex
	free []T
}

// Get returns one that no job uses.
func (s *Spares[T]) Get() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return s.New()
	}
	one := s.free[n-1]
	s.free = s.free[:n-1]
	return one
}

// Put gives one back.
func (s *Spares[T]) Put(one T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, one)
}
