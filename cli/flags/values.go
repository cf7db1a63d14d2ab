package flags

import (
	"fmt"
	"slices"
	"strings"
)

// A Func is a flag whose values a function takes. They are not shown.
type Func struct {
	Kind string // what the help calls a value
	Take func(value string) error
}

// String implements pflag.Value.
func (Func) String() string { return "" }

// Type implements pflag.Value.
func (f Func) Type() string { return f.Kind }

// Set implements pflag.Value.
func (f Func) Set(value string) error { return f.Take(value) }

// A OneOf is a flag whose value is one of several words.
type OneOf struct {
	Value *string
	Among []string
}

// String implements pflag.Value.
func (o OneOf) String() string {
	if o.Value == nil {
		return ""
	}
	return *o.Value
}

// Type implements pflag.Value.
func (o OneOf) Type() string { return "WORD" }

// Set implements pflag.Value.
func (o OneOf) Set(s string) error {
	if !slices.Contains(o.Among, s) {
		return fmt.Errorf("one of %s", strings.Join(o.Among, ", "))
	}
	*o.Value = s
	return nil
}
