package model

import "sync/atomic"

// Progress tells how far a long piece of work is. One goroutine counts, others
// look.
type Progress struct {
	done atomic.Int64
	all  atomic.Int64
}

func (p *Progress) set(done, all int64) {
	p.done.Store(done)
	p.all.Store(all)
}

// Share is the part that is done, from 0 to 1.
func (p *Progress) Share() float64 {
	all := p.all.Load()
	if all <= 0 {
		return 0
	}
	return min(1, float64(p.done.Load())/float64(all))
}
