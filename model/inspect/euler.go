package inspect

import "math"

// Euler returns a rotation in degrees about x, y and z, in the order in which Godot shows it: about y
// first, then x, then z (Basis.get_euler). rows are the rows of a matrix that rotates and may also scale.
func Euler(rows [3][3]float64) [3]float64 {
	rows = turning(rows)
	const right = math.Pi / 2
	var e [3]float64
	switch s := rows[1][2]; {
	case s >= 1-1e-9:
		e = [3]float64{-right, -math.Atan2(rows[0][1], rows[0][0]), 0}
	case s <= -1+1e-9:
		e = [3]float64{right, math.Atan2(rows[0][1], rows[0][0]), 0}
	default:
		e = [3]float64{math.Asin(-s), math.Atan2(rows[0][2], rows[2][2]), math.Atan2(rows[1][0], rows[1][1])}
	}
	for i := range e {
		e[i] *= 180 / math.Pi
	}
	return e
}

// turning removes the scale from a matrix: its columns get length 1. A mirroring matrix is negated.
func turning(m [3][3]float64) [3][3]float64 {
	for c := range 3 {
		length := math.Hypot(math.Hypot(m[0][c], m[1][c]), m[2][c])
		for r := range 3 {
			m[r][c] /= length
		}
	}
	if determinant(m) < 0 {
		for r := range 3 {
			for c := range 3 {
				m[r][c] = -m[r][c]
			}
		}
	}
	return m
}

func determinant(m [3][3]float64) float64 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
}

// Rows returns the rows of the rotation matrix of a quaternion.
func Rows(x, y, z, w float64) [3][3]float64 {
	n := x*x + y*y + z*z + w*w
	s := 2 / n
	return [3][3]float64{
		{1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y)},
		{s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x)},
		{s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y)},
	}
}
