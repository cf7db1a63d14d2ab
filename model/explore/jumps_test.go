package explore

import (
	"runtime"
	"testing"

	"varview/model"
)

// The places to go back to lead to another buffer as long as that is open, and do not keep it in memory.
func TestJumpsLetGo(t *testing.T) {
	data := stream(integer(1), integer(2))
	x, other := New(open(t, data, "stream").Innermost()), New(open(t, data, "stream").Innermost())
	if err := x.GoToCursor(model.ByteCursor(4)); err != nil {
		t.Fatal(err)
	}
	x.Leap()
	x.ArriveFrom(other)
	runtime.GC()
	if x.jumps.lists[0][1].other.Value() != other {
		t.Error("another buffer that is looked at is forgotten")
	}
	other = nil
	runtime.GC()
	if x.jumps.lists[0][1].other.Value() != nil {
		t.Error("another buffer is kept")
	}
	if err := x.GoToCursor(model.ByteCursor(0)); err != nil {
		t.Fatal(err)
	}
	ok, err := x.Back(func(*Explorer) (bool, error) { t.Error("shows a buffer that is gone"); return false, nil })
	if !ok || err != nil || x.Offset() != 4 {
		t.Errorf("back is %v, %v, at %d", ok, err, x.Offset())
	}
}
