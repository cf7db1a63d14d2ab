package format

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/tree"
)

// What a reading may be able to do besides what every one can. Each is found by a type
// assertion; where it is missing the tree has an answer of its own, or the command says
// that the format cannot do it.
type (
	Inspector     = tree.Inspector     // notices what is unusual about values that can be read
	Passer        = tree.Passer        // passes over many ordinary values quickly
	Describer     = tree.Describer     // knows what values mean, for the tree's own paths, literals and JSON
	Stepper       = tree.Stepper       // has steps of paths of its own
	LiteralWriter = tree.LiteralWriter // has a notation of its own for values
	JSONWriter    = tree.JSONWriter    // has a JSON form of its own
	TypeWriter    = tree.TypeWriter    // says more of a type than its name
	EngineModel   = tree.EngineModel   // knows what the engine does about depth and missing bytes
	Footer        = tree.Footer        // has fields behind the children of values
	Keyed         = tree.Keyed         // refuses keys that repeat
	Remedier      = tree.Remedier      // knows what puts missing or surplus bytes right
	Learner       = tree.Learner       // learns while it reads
	Resyncer      = tree.Resyncer      // finds where reading resumes after an unreadable value

	Editor   = edit.Editor   // values can be changed
	Repairer = edit.Repairer // problems can be put right

	Suspecter = diagnose.Suspecter // names the fields that could be the cause of problems
	Texter    = diagnose.Texter    // has texts with a length before them
	Headed    = diagnose.Headed    // begins with fields that say how all is read
)
