package variantref

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// plainValue returns a value such as a small game stores, in types that the dialect has: names,
// numbers, positions, flags, lists and dictionaries of them, levels deep at most.
func plainValue(r *rand.Rand, dialect string, levels int) any {
	p := plain{r, dialect}
	if r.IntN(2) == 0 {
		return p.list(levels)
	}
	return p.dictionary(levels)
}

type plain struct {
	*rand.Rand
	dialect string
}

var words = strings.Fields(`hp mp gold name level pos Mira Aldo sword of_light potion x y score items equipped door_03 key flags
	alive time quests town Größe 剣 volume music max_hp player enemy slime exp STR DEX seed map visited chest npc_12 dialog seen
	Options fullscreen lang en de_DE A B left right jump inventory slot count id res://levels/town.tscn Bäcker 2026-11-22`)

func (p *plain) word() string {
	w := words[p.IntN(len(words))]
	if p.IntN(6) == 0 {
		w += "_" + words[p.IntN(len(words))]
	}
	return w
}

// int is mostly small.
func (p *plain) int() int64 {
	switch p.IntN(12) {
	case 0:
		return 1_600_000_000 + p.Int64N(300_000_000) // a time
	case 1:
		return p.Int64() // a seed
	case 2:
		return -p.Int64N(100)
	case 3, 4:
		return p.Int64N(5000)
	}
	return p.Int64N(20)
}

// float is rounded to some digits, as games' numbers are.
func (p *plain) float() float64 {
	switch p.IntN(4) {
	case 0:
		return float64(p.IntN(200)) / 4
	case 1:
		return p.Float64()
	}
	return math.Round(p.NormFloat64()*30_000) / 100
}

func (p *plain) floats(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		if p.IntN(5) > 0 {
			all[i] = p.float()
		}
	}
	return all
}

func (p *plain) value(levels int) any {
	switch n := p.IntN(24); {
	case n < 6:
		return p.int()
	case n < 10:
		return p.word()
	case n < 13:
		return p.float()
	case n < 15:
		return p.IntN(2) == 0
	case n < 16:
		return nil
	case n < 18:
		return p.vector()
	case n < 19:
		return p.packed()
	case levels <= 0:
		return p.int()
	case n < 22:
		return p.list(levels - 1)
	}
	return p.dictionary(levels - 1)
}

// vector has components that are usual for its type.
func (p *plain) vector() any {
	for {
		v := numbers{Type: []string{"Vector2", "Vector3", "Rect2", "Color", "Quat", "Transform2D", "Plane", "AABB", "Basis", "Transform", "Vector2i", "Vector3i", "Rect2i", "Vector4", "Vector4i", "Projection"}[min(p.IntN(24), p.IntN(16))]}
		if !has(p.dialect, v.Type) {
			continue
		}
		s := shapes[v.Type]
		if v.Values = p.floats(s.count); s.ints {
			for i := range v.Values {
				v.Values[i] = float64(p.IntN(200) - 60)
			}
		}
		switch v.Type {
		case "Color":
			for i := range v.Values {
				v.Values[i] = math.Round(p.Float64()*255) / 255
			}
			v.Values[3] = 1
		case "Quat":
			a := p.Float64() * 3
			v.Values = []float64{0, math.Sin(a), 0, math.Cos(a)}
		case "Basis", "Transform", "Projection": // no rotation
			size := map[string]int{"Basis": 3, "Transform": 3, "Projection": 4}[v.Type]
			for i := range size * size {
				v.Values[i] = map[bool]float64{true: 1}[i%size == i/size]
			}
		}
		return v
	}
}

func (p *plain) packed() any {
	n := p.IntN(5)
	switch p.IntN(6) {
	case 0:
		b := make([]byte, p.IntN(12))
		for i := range b {
			b[i] = byte(p.IntN(256))
		}
		return b
	case 1:
		all := make([]string, n)
		for i := range all {
			all[i] = p.word()
		}
		return all
	case 2:
		v := numbers{Type: "PoolIntArray", Values: make([]float64, n)}
		for i := range v.Values {
			v.Values[i] = float64(p.IntN(100))
		}
		return v
	case 3:
		return numbers{"PoolRealArray", p.floats(n)}
	case 4:
		return numbers{"PoolVector2Array", p.floats(2 * n)}
	}
	return numbers{"PoolVector3Array", p.floats(3 * n)}
}

// list often has elements of one kind.
func (p *plain) list(levels int) any {
	n := 1 + p.IntN(7)
	all := make([]any, n)
	kind := p.IntN(6)
	for i := range all {
		switch kind {
		case 0:
			all[i] = p.int()
		case 1:
			all[i] = p.word()
		case 2:
			all[i] = int64(p.IntN(2))
		default:
			all[i] = p.value(levels)
		}
	}
	return all
}

func (p *plain) dictionary(levels int) any {
	n := 1 + p.IntN(6)
	all := make([]pair, 0, n)
	for i := range n {
		var key any = p.word()
		if p.IntN(12) == 0 {
			key = int64(i)
		}
		if !slices.ContainsFunc(all, func(other pair) bool { return other.Key == key }) {
			all = append(all, pair{key, p.value(levels)})
		}
	}
	return all
}

// plainFile returns a file with plain values, of 8 to most bytes: one list or dictionary or, in
// a stream, frames of these.
func plainFile(r *rand.Rand, o Options, most int) []byte {
	for {
		data := write(o.Dialect, plainValue(r, o.Dialect, 2))
		if o.Stream {
			data = frame(data)
		}
		for o.Stream && r.IntN(2) == 0 {
			data = append(data, frame(write(o.Dialect, plainValue(r, o.Dialect, 1)))...)
		}
		if len(data) <= most {
			return data
		}
	}
}

func frame(value []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(value))), value...)
}
