package convert

import (
	"fmt"
	"math"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// components writes a vector, or a packed array of numbers or vectors.
func (c *converter) components(v *tree.Value, to types.ID) (reason string, err error) {
	is := types.ID(v.Sub)
	if to == types.PackedFloat32Array && is == types.Float64 && c.q.Bits != 32 {
		to = types.PackedFloat64Array // from a double-precision build
	}
	t := types.Of(to)
	wide := is == types.Float64 && c.q.Bits == 0 || c.q.Bits == 64
	comp := c.to.Component(t, wide)
	isPacked, n := t.Shape == types.ShapePacked, v.Count
	if isPacked {
		n *= int64(t.Each())
	}
	if reason := c.narrowReason(v, is, comp, n); reason != "" {
		return reason, nil
	}
	flags := uint32(0)
	if comp != t.Comp && !c.to.Double {
		flags = types.WideFlag
	}
	if types.Of(v.Type).Comp == types.Int64 && comp == types.Int32 || v.Type == types.PackedFloat64Array && comp == types.Float32 {
		c.note(v, fmt.Sprintf("a %s becomes a %s, which can hold its numbers", types.Of(v.Type).Name, t.Name))
	}
	c.Header(to, flags)
	if isPacked {
		c.U32(uint32(v.Count))
	}
	return "", c.numbers(is, comp, v.Body, n)
}

// numbers converts n numbers at a place.
func (c *converter) numbers(is, to types.ID, at, n int64) error {
	if is == to {
		return c.copy(c.w, at, n*types.Width(is))
	}
	for i := range n {
		bits := numeric.BitsAt(c.w, is, at+i*types.Width(is))
		c.Out = numeric.AppendBinary(c.Out, to, converted(is, to, bits))
		if err := c.room(); err != nil {
			return err
		}
	}
	return nil
}

// converted returns the bits of a component of one type as those of another.
func converted(is, comp types.ID, bits uint64) uint64 {
	switch comp {
	case types.Float64:
		return math.Float64bits(toFloat(is, bits))
	case types.Float32:
		return uint64(math.Float32bits(float32(toFloat(is, bits))))
	}
	return uint64(toInt(is, bits))
}

// narrowReason returns why n components do not fit a narrower type; "" if they do.
func (c *converter) narrowReason(v *tree.Value, is, comp types.ID, n int64) string {
	if types.Width(comp) >= types.Width(is) || comp == types.Float32 && c.q.Bits == 32 {
		return ""
	}
	for i := range n {
		bits := numeric.BitsAt(c.w, is, v.Body+i*types.Width(is))
		if comp == types.Int32 {
			if x := toInt(is, bits); x != int64(int32(x)) {
				return fmt.Sprintf("%d does not fit the 32 bits of numbers there", x)
			}
		} else if x := toFloat(is, bits); !math.IsNaN(x) && !numeric.FitsFloat32(x) {
			return fmt.Sprintf("%s is not the same in 32 bits", numeric.AppendFloat(nil, x, 64, numeric.StyleTagged))
		}
	}
	return ""
}
