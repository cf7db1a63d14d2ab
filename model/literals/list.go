package literals

import "strings"

// List returns keys and literals as a list, or if keyed is set as a dictionary.
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
