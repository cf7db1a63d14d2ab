package decoder

import (
	"context"
	"io"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// converters returns the families whose dialects can be converted into one another.
func converters() (all []format.Family) {
	for _, f := range Families {
		if _, ok := f.(format.Converter); ok {
			all = append(all, f)
		}
	}
	return all
}

// CheckConversion returns an error if a dialect cannot be the target of a conversion.
func CheckConversion(to string) error {
	if err := (&Options{Dialect: to}).Check(); err != nil {
		return err
	}
	f, _ := families().ByDialect(to)
	if _, ok := f.(format.Converter); !ok {
		return cannotWrite(f)
	}
	return nil
}

// ConversionTargets returns the dialects into which values of a dialect can be converted.
func ConversionTargets(from string) (all []*format.Dialect) {
	f, is := families().ByDialect(from)
	if f == nil {
		return nil
	}
	for _, g := range converters() {
		for _, d := range g.Dialects() {
			if d.Name != from && d.Kin == is.Kin && (g.Name() == f.Name() || d.Kin != "") {
				all = append(all, d)
			}
		}
	}
	return all
}

// ConversionDialect returns the dialect for a version of a converted family, with or without the family's
// name: "elephant-1.5.0" for "1.5.0". Other text is returned as it is.
func ConversionDialect(version string) string {
	for _, f := range converters() {
		for _, d := range f.Dialects() {
			if d.Name == f.Name()+"-"+version {
				return d.Name
			}
		}
	}
	return version
}

// Convert writes the values of r in another dialect of the same family, or of one that it is converted
// into. An error names the value that the dialect cannot express, or is a *format.LossError.
func Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	if err := CheckConversion(q.Dialect); err != nil {
		return err
	}
	f, _ := families().ByDialect(q.Dialect)
	return f.(format.Converter).Convert(ctx, r, q, out)
}

// Generation returns the Godot version whose encrypted files the engine of a dialect reads; 0 if it reads
// none.
func Generation(dialect string) int {
	if _, d := families().ByDialect(dialect); d != nil {
		return d.Generation
	}
	return 0
}

// IsOutdated reports whether the current version of the program that writes a dialect can no longer read
// it.
func IsOutdated(dialect string) bool {
	_, d := families().ByDialect(dialect)
	return d != nil && d.Outdated
}
