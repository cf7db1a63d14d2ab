package model

import "sync/atomic"

// Progress says how far a long piece of work is. One goroutine counts, others
// look.
type Progress struct {
	done atomic.Int64
	all  atomic.Int64
}

// Set notes how far the work is. Of a nil Progress nobody asks.
func (p *Progress) Set(done, all int64) {
	if p == nil {
		return
	}
	p.done.Store(done)
	p.all.Store(all)
}

// Share is the part that is done, from 0 to 1.
func (p *Progress) Share() float64 {
	done, all := p.done.Load(), p.all.Load()
	if all <= 0 {
		return 0
	}
	return min(1, float64(done)/float64(all))
}
