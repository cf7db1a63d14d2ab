package elephantref

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

// A Built is a random block, and the code of the game it comes from: as schemas, and as GML source.
type Built struct {
	Version Version
	Block   []byte
	Schemas Schemas
	GML     string
}

//go:embed testdata/built.jsonl
var built []byte // written by TestBuiltFile

// ReadBuilt returns the first random blocks of every version, oldest version first; at most 9 of each.
func ReadBuilt(each int) (all []Built, err error) {
	for d := json.NewDecoder(bytes.NewReader(built)); err == nil && len(all) < each*len(Versions()) && d.More(); {
		all = append(all, Built{})
		err = d.Decode(&all[len(all)-1])
	}
	return all, err
}
