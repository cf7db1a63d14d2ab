package scout

import (
	"bytes"
	"encoding/json"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
)

var (
	// props begins the properties of an object in the JSON of JSON.from_native.
	props = lazy.Regexp(`"props"\s*:\s*\[`)
	// class is the class of such an object.
	class = lazy.Regexp(`"type"\s*:\s*"([^"]*)"`)
	// element is a type of the elements, keys or values of a container there.
	element = lazy.Regexp(`"(?:elem|key|value)_type"\s*:\s*"([^"]*(?:://|/|\\)[^"]*)"`)
)

// nearClass is how many bytes around the properties of an object its class is looked for.
const nearClass = 512

// native returns what JSON.to_native creates and runs, if it may.
func native(b []byte, spend func(int) bool) (all []format.Hazard) {
	if bytes.Contains(b, []byte("_type\"")) {
		for _, m := range element().FindAllSubmatch(b, maxHazards) {
			path := strings.ReplaceAll(string(m[1]), `\/`, "/")
			all = append(all, format.Hazard{What: "elements of the script " + path, Code: format.CodeAt(path)})
		}
	}
	if !bytes.Contains(b, []byte(`"props"`)) {
		return all
	}
	for _, m := range props().FindAllIndex(b, -1) {
		hazard := format.Hazard{What: "an object"}
		before, after := b[max(0, m[0]-nearClass):m[0]], b[m[1]:min(len(b), m[1]+nearClass)]
		if found := class().FindAllSubmatch(before, -1); found != nil {
			hazard.What = string(found[len(found)-1][1])
		} else if found := class().FindSubmatch(after); found != nil {
			hazard.What = string(found[1])
		}
		all = append(all, hazard)
		scripts, size := properties(b[m[1]:])
		all = append(all, scripts...)
		if !spend(size) || len(all) >= maxHazards {
			break
		}
	}
	return all
}

// properties returns the scripts among the properties of an object, which b begins with, and their size.
// Objects in them are found by their own properties.
func properties(b []byte) (all []format.Hazard, size int) {
	d := json.NewDecoder(bytes.NewReader(append([]byte{'['}, b[:min(len(b), maxProperties)]...)))
	d.Token()
	for d.More() {
		var name any
		var value json.RawMessage
		if d.Decode(&name) != nil || !d.More() || d.Decode(&value) != nil {
			break
		}
		var text string
		isText := json.Unmarshal(value, &text) == nil
		_, text, _ = strings.Cut(text, ":") // its type
		switch key, _ := name.(string); {
		case !isText || text == "":
		case strings.TrimPrefix(key, "s:") == "script":
			all = append(all, format.Hazard{What: "script " + text, Code: format.CodeAt(text)})
		case strings.TrimPrefix(key, "s:") == sourceProperty:
			all = append(all, format.Hazard{What: "a script with its source code", Code: format.FileCode})
		}
	}
	return all, int(d.InputOffset())
}

// maxProperties is the number of bytes of the properties of one object that are read.
const maxProperties = 64 << 10
