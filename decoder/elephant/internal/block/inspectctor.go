package block

import (
	"fmt"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// fewUnnamed is the number of constructors that a trial reading accepts as named in
// unreadable bytes.
const fewUnnamed = 16

// manyCtors is more than a game has constructors.
const manyCtors = 255

// IsUnlikelyIndex reports whether the index of a new constructor may be damaged. Edits may
// leave one that is not the next one, but none far beyond it.
func IsUnlikelyIndex(index uint16, next int) bool { return int(index) > next+manyCtors }

// constructed inspects the constructor of a constructed struct.
func (in *inspector) constructed() {
	f, v := in.f, in.v
	if v.Flags&Named != 0 {
		in.named()
	}
	at := f.VersionAt(in.w, v)
	version, verbose := f.Rules.SchemaVersion(in.w.Byte(at))
	if v.Flags&BySchema != 0 {
		if v.Damage == nil && f.Rules.Skips {
			in.skips(at + 1)
		}
		return
	}
	if name := f.CtorName(v); verbose && f.names.isOdd(name, version) {
		in.problem(at, 1, span.Warning, OddVerbose, fmt.Sprintf("stored with the names of its members, though version %d of the schema of %s does not say so", version, name), "")
	}
}

// named inspects a constructor that is used for the first time.
func (in *inspector) named() {
	f, v := in.f, in.v
	at, index := f.NameAt(in.w, v), f.CtorIndex(v)
	switch {
	case f.trial && int(index) > f.names.nextIndex(f.Rules, index)+fewUnnamed:
		in.problem(v.Start, v.Body-v.Start, span.Warning, CtorName, "an unlikely index for a new constructor", "")
	case !f.trial && !f.Rules.CtorTags:
		if next, ok := f.names.usedBefore(v.Start); ok && next != int(index) {
			severity, repair := span.Note, ""
			if IsUnlikelyIndex(index, next) {
				severity, repair = span.Warning, fmt.Sprintf("set it to %d", next)
			}
			in.repairable(at-2, 2, severity, CtorIndex, fmt.Sprintf("a new constructor with the index %d, where the library writes %d", index, next), "accepted", repair)
		}
	}
	size := f.VersionAt(in.w, v) - 1 - at
	name := in.w.View(at, size)
	if int64(len(name)) == size && tree.IsIdentifier(name) {
		if near := f.NearCtor(string(name)); near != "" && v.Damage == nil && !f.trial {
			in.problem(at, size+1, span.Error, CtorName, fmt.Sprintf("no GML file declares the constructor %q; is it %q, damaged by one byte?", name, near),
				fmt.Sprintf(`error: Could not resolve constructor function "%s"`, name))
		}
		return
	}
	message := "the name of a constructor must be an identifier"
	engine := fmt.Sprintf(`error: Could not resolve constructor function "%s"`, tree.Prose(name[:min(len(name), 64)]))
	if f.Rules.CtorTags {
		message += "; 1.0.0 leaves a name out where an earlier ElephantWrite of the same game wrote it"
		engine = "read as a struct without a constructor"
	}
	in.problem(at, size+1, span.Error, CtorName, message, engine)
}

// skips inspects the list of skipped members at off. Their order does not matter.
func (in *inspector) skips(off int64) {
	v := in.v
	var seen *[1 << 16 / 64]uint64 // once the list is out of order
	last := uint16(0)
	for at := off; at < v.Body-2; at += 2 {
		skip := in.w.U16(at)
		if skip < last && seen == nil {
			seen = new([1 << 16 / 64]uint64)
			for before := off; before < at; before += 2 {
				n := in.w.U16(before)
				seen[n/64] |= 1 << (n % 64)
			}
		}
		switch {
		case int64(skip) > v.Count+1:
			in.skip(at, span.Error, fmt.Sprintf("member %d is skipped, but the schema has %d", skip, v.Count), "error: illegal buffer type undefined")
		case int64(skip) == v.Count+1:
			in.skip(at, span.Warning, fmt.Sprintf("member %d is skipped, but the schema has %d", skip, v.Count), "ignored")
		case skip == last, seen != nil && seen[skip/64]>>(skip%64)&1 != 0:
			in.skip(at, span.Warning, fmt.Sprintf("member %d is skipped twice", skip), "ignored")
		}
		if last = skip; seen != nil {
			seen[skip/64] |= 1 << (skip % 64)
		}
	}
}

func (in *inspector) skip(at int64, s span.Severity, message, engine string) {
	in.repairable(at, 2, s, WrongSkip, message, engine, repairSkip)
}
