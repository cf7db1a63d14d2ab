package literals

import "strings"

// List writes keys and literals as a list, or with keyed as a dictionary.
func List(keyed bool, all [][2]string) string {
	var parts []string
	for _, x := range all {
		if keyed {
			parts = append(parts, x[0]+": "+x[1])
		} else {
			parts = append(parts, x[1])
		}
	}
	if keyed {
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
