package elephantref

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// verboseKey is the member that the library adds to each struct which is
// verbose by its schema version (section 6).
const verboseKey = "__Elephant_Version_Verbose__"

// Schemas are the constructors of a game by name.
type Schemas map[string]*Constructor

// A Constructor describes how its structs are read and written.
type Constructor struct {
	Members   []string        // of its structs, sorted
	Inherited bool            // the schema is an ancestor's
	Versions  map[int]*Schema // by schema version
	Force     *int            // ELEPHANT_FORCE_VERSION
	Exclude   []string        // ELEPHANT_VERBOSE_EXCLUDE
}

// A Schema is one version. Its members are in the order of the file: by the
// bytes of their names.
type Schema struct {
	Members []Member
	Verbose bool // ELEPHANT_VERSION_VERBOSE
}

// A Member is one line of a schema.
type Member struct {
	Name string
	Type Datatype
}

func sortMembers(members []Member) {
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
}

// jsonConstructor is the form in which a real run of the library lists schemas.
type jsonConstructor struct {
	Members   []string              `json:"members"`
	Schema    map[string]jsonSchema `json:"schema"`
	Inherited bool                  `json:"schema_inherited"`
	Force     *int                  `json:"force_version"`
	Exclude   []string              `json:"verbose_exclude"`
}

type jsonSchema struct {
	Members [][2]string `json:"members"`
	Verbose bool        `json:"verbose"`
}

// UnmarshalJSON reads constructor → members, schema → "v1" → members as [name, datatype] pairs, verbose;
// schema_inherited, force_version, verbose_exclude.
func (out *Schemas) UnmarshalJSON(text []byte) error {
	var in map[string]jsonConstructor
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*out = Schemas{}
	for name, c := range in {
		(*out)[name] = &Constructor{Members: c.Members, Inherited: c.Inherited, Force: c.Force, Exclude: c.Exclude,
			Versions: map[int]*Schema{}}
		for key, s := range c.Schema {
			version, err := strconv.Atoi(strings.TrimPrefix(key, "v"))
			if err != nil {
				return fmt.Errorf("%s: %q is no schema version", name, key)
			}
			schema, err := s.read()
			if err != nil {
				return fmt.Errorf("%s %s: %w", name, key, err)
			}
			(*out)[name].Versions[version] = schema
		}
	}
	return nil
}

func (s jsonSchema) read() (*Schema, error) {
	schema := &Schema{Verbose: s.Verbose}
	for _, m := range s.Members {
		at := slices.IndexFunc(allDatatypes, func(t Datatype) bool { return t.String() == m[1] })
		if at < 0 {
			return nil, fmt.Errorf("member %q has no known datatype: %q", m[0], m[1])
		}
		schema.Members = append(schema.Members, Member{m[0], allDatatypes[at]})
	}
	sortMembers(schema.Members)
	return schema, nil
}
