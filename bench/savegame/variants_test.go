package savegame

import (
	"encoding/binary"
	"regexp"
	"strings"
	"testing"

	"varview/internal/variantref"
)

func uint32At(b []byte, at int) uint32 {
	return binary.LittleEndian.Uint32(b[at:])
}

// checkVariants reads the file with the second reader, which says what no engine would have written.
func checkVariants(t *testing.T, b []byte, p Plan) {
	r := readVariants(t, b, p)
	if last := r.Frames[len(r.Frames)-1].Value; !strings.Contains(last[max(len(last)-60, 0):], LastText) {
		t.Errorf("the last value is not %q", LastText)
	}
}

// TestObjects: the one record with objects of a Mixed file, and the many of an Objects file.
func TestObjects(t *testing.T) {
	for kind, most := range map[Kind]int{Mixed: 1, Objects: 400} {
		p := Plan{kind, Godot4, 4 << 20, 1}
		n := 0
		for _, f := range readVariants(t, bytesOf(t, p), p).Frames {
			n += strings.Count(f.Value, `"objects": `)
		}
		if n == 0 || n > most || n < most/20 {
			t.Errorf("%s: %d records with objects", kind, n)
		}
	}
}

func readVariants(t *testing.T, b []byte, p Plan) *variantref.Reading {
	r, err := variantref.Read(b, variantref.Options{Dialect: string(p.Dialect), Stream: p.Kind != MixedRaw, Objects: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Oddness != "" {
		t.Errorf("no engine writes %s", r.Oddness)
	}
	for i, f := range r.Frames {
		if f.Err != "" {
			t.Fatalf("value %d: %s", i, f.Err)
		}
	}
	return r
}

// occurring are all types of a dialect, as the second reader writes them, and other forms that a save has to have.
var occurring = map[Dialect]string{
	Godot4: `null|true|false|int -?\d{10,}|float 3f|String "|Vector2\[|Vector2i\[|Rect2\[|Rect2i\[|Vector3\[|Vector3i\[|Transform2D\[|Vector4\[|Vector4i\[|
		Plane\[|Quaternion\[|AABB\[|Basis\[|Transform3D\[|Projection\[|Color\[|StringName "|NodePath true|NodePath false|RID \d|Object \d|
		Object Resource|Callable|Signal "|Dictionary\[|Array\[|PackedByteArray\[|PackedInt32Array\[|PackedInt64Array\[|PackedFloat32Array\[|
		PackedFloat64Array\[|PackedStringArray\[|PackedVector2Array\[|PackedVector3Array\[|PackedColorArray\[|PackedVector4Array\[|
		Vector3\[[0-9a-f]{16},|PackedVector2Array\[[0-9a-f]{16},|Array<int>|Array<Vector3>|Array<Resource>|Array<res://items/item.gd>|
		Array<Dictionary>|Dictionary<String><String>|Dictionary\[int |Dictionary\[float |Dictionary\[StringName |Dictionary\[Vector2i\[|
		Ночной|閉まって|أمينة|지은|👩`,
	Godot3: `null|true|false|int -?\d{10,}|float 3f|String "|Vector2\[|Rect2\[|Vector3\[|Transform2D\[|Plane\[|Quat\[|AABB\[|Basis\[|Transform\[|Color\[|
		NodePath true|NodePath false|RID 0|Object \d|Dictionary\[|Array\[|PoolByteArray\[|PoolIntArray\[|PoolRealArray\[|PoolStringArray\[|
		PoolVector2Array\[|PoolVector3Array\[|PoolColorArray\[|Dictionary\[int |Dictionary\[float |Dictionary\[Vector2\[|Ночной|閉まって|👩`,
}

func TestAllTypesOccur(t *testing.T) {
	for dialect, patterns := range occurring {
		p := Plan{Mixed, dialect, 4 << 20, 1}
		var all strings.Builder
		for _, f := range readVariants(t, bytesOf(t, p), p).Frames {
			all.WriteString(f.Value)
		}
		for _, pattern := range regexp.MustCompile(`\|\s*`).Split(patterns, -1) {
			if !regexp.MustCompile(pattern).MatchString(all.String()) {
				t.Errorf("%s: no %s", dialect, pattern)
			}
		}
	}
}
