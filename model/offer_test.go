package model

import (
	"testing"
	"time"
)

// The day of unsaved edits is shown if it is not today.
func TestWhen(t *testing.T) {
	now := time.Date(2026, 11, 22, 13, 5, 0, 0, time.Local)
	for at, want := range map[time.Duration]string{0: "13:05", -time.Hour: "12:05", -14 * time.Hour: "2026-11-21 23:05"} {
		if got := when(now.Add(at), now); got != want {
			t.Errorf("%v: %s, want %s", at, got, want)
		}
	}
}
