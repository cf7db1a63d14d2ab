// Package lessgc makes a program collect garbage less often. Tests import it that read many files: at the default rate, a quarter of
// their time would go there.
package lessgc

import "runtime/debug"

func init() { debug.SetGCPercent(400) }
