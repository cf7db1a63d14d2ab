package flags

import (
	"fmt"
	"slices"
	"strings"
)

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
