package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"strings"
	"time"
)

const (
	liveRate         = 5000 // messages a second
	liveMemoryBudget = 256 << 20
	cursorMark       = "›"
)

// liveTour moves the selected message from the first on, which stays where it is while others come.
var liveTour = strings.Fields("j j ctrl+d j ctrl+d ctrl+d k j ctrl+d ctrl+u k ctrl+d k j ctrl+u k")

var listed = regexp.MustCompile(`at [0-9,]+ of [0-9,]+ messages`)

// live measures key presses in the list of messages of a flow that goes through the program, and its memory.
func live(ctx context.Context, b *bench) ([]row, error) {
	server, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	defer server.Close()
	free, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	at := free.LocalAddr().(*net.UDPAddr)
	free.Close()
	t, err := b.openTerminal(ctx, 200, 60, "listen", "udp", fmt.Sprintf(":%d", at.Port), server.LocalAddr().String(), "--tui")
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := t.rest(time.Second); err != nil {
		return nil, err
	}
	watch := watchMemory(t.cmd.Process.Pid)
	sending, stop := context.WithCancel(ctx)
	defer stop()
	sent := make(chan error, 1)
	go func() { sent <- sendMessages(sending, at) }()
	isListed := func(s *screen) bool { return listed.MatchString(s.text()) }
	if _, err := t.shows(isListed, 10*time.Second); err != nil {
		return nil, err
	}
	t.send("g") // at the last message most keys would do nothing
	if _, err := t.shows(func(s *screen) bool { return strings.Contains(s.text(), " at 1 of ") }, 10*time.Second); err != nil {
		return nil, err
	}
	var l latencies
	phase := rand.New(rand.NewPCG(1, 1))
	for i := range b.presses {
		if err := t.rest(30*time.Millisecond + time.Duration(phase.IntN(34_000))*time.Microsecond); err != nil {
			return nil, err
		}
		if _, err := l.pressFor(t, liveTour[i%len(liveTour)], cursorLine); err != nil {
			return nil, err
		}
	}
	b.show(t, "all keys")
	stop()
	if err := <-sent; err != nil {
		return nil, err
	}
	r := l.row(fmt.Sprintf("key while %d messages a second come", liveRate))
	most := watch.highest()
	return []row{r, memoryOf("private memory meanwhile", most, liveMemoryBudget)}, nil
}

// cursorLine returns the last line of the screen with a cursor, which is the selected message.
func cursorLine(s *screen) string {
	text := s.text()
	i := strings.LastIndex(text, cursorMark)
	if i < 0 {
		return ""
	}
	line, _, _ := strings.Cut(text[i:], "\n")
	return line
}

// message returns {"seq": n, "name": "Hero"} as Godot 4 encodes it.
func message(n int) (b []byte) {
	const dictionary, count, text, number = 27, 2, 4, 2
	words := func(all ...int) {
		for _, w := range all {
			b = binary.LittleEndian.AppendUint32(b, uint32(w))
		}
	}
	words(dictionary, count, text, len("seq"))
	b = append(b, "seq\x00"...)
	words(number, n, text, len("name"))
	b = append(b, "name"...)
	words(text, len("Hero"))
	return append(b, "Hero"...)
}

// sendMessages sends values of Godot, each in a packet, until the context ends.
func sendMessages(ctx context.Context, to *net.UDPAddr) error {
	c, err := net.DialUDP("udp", nil, to)
	if err != nil {
		return err
	}
	defer c.Close()
	began := time.Now()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		for ; n < int(time.Since(began).Seconds()*liveRate); n++ {
			if _, err := c.Write(message(n)); err != nil {
				return err
			}
		}
	}
}
