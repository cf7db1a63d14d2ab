package model

import "sync/atomic"

// Progress says how far a long piece of work is. One goroutine counts, others
// look.
type Progress struct {
	done atomic.Int64
	all  atomic.Int64
	live atomic.Pointer[func() int64] // asked in place of done, if set
}

// Set notes how far the work is. Of a nil Progress nobody asks.
func (p *Progress) Set(done, all int64) {
	if p == nil {
		return
	}
	p.live.Store(nil)
	p.done.Store(done)
	p.all.Store(all)
}

// ask has done asked for how much of the work is done, from now on until Set is called.
func (p *Progress) ask(done func() int64, all int64) {
	if p != nil {
		p.all.Store(all)
		p.live.Store(&done)
	}
}

// Share is the part that is done, from 0 to 1.
func (p *Progress) Share() float64 {
	done, all := p.done.Load(), p.all.Load()
	if live := p.live.Load(); live != nil {
		done = (*live)()
	}
	if all <= 0 {
		return 0
	}
	return min(1, float64(done)/float64(all))
}
