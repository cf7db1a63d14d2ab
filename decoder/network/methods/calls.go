package methods

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"varview/decoder/engine/lazy"
)

// A declared is a function of a script.
type declared struct {
	file        string
	base        string // class that the script extends
	line        int
	least, most int    // number of arguments
	mode        string // who may call it remotely: "remote", "puppet", "master", "any_peer", "authority"; "" for nobody
}

func (d *declared) place() string { return fmt.Sprintf("%s:%d", d.file, d.line) }

// takes says how many arguments it takes.
func (d *declared) takes() string {
	switch {
	case d.least != d.most:
		return fmt.Sprintf("%d to %d arguments", d.least, d.most)
	case d.most == 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", d.most)
}

var (
	declares  = lazy.Regexp(`^((?:(?:remote|master|puppet|slave|sync|remotesync|mastersync|puppetsync|static|@\w+(?:\s*\([^)]*\))?)\s+)*)func\s+([\p{L}_][\p{L}\p{N}_]*)\s*\(`)
	keyword   = lazy.Regexp(`\b(remote|master|puppet|slave|sync)(?:sync)?\b`)
	givesAway = lazy.Regexp(`\bset_(?:network_master|multiplayer_authority)\s*\(`)
	variables = lazy.Regexp(`^((?:(?:remote|master|puppet|slave|sync|remotesync|mastersync|puppetsync|onready|export(?:\s*\([^)]*\))?)\s+)*)var\s+([\p{L}_][\p{L}\p{N}_]*)`)
	isAnybody = lazy.Regexp(`@rpc\s*\([^)]*["']any_peer["']`)
	isRPC     = lazy.Regexp(`@rpc\b`)
)

// mode returns who may call a function with keywords of Godot 3 or annotations of Godot 4.
func mode(keywords, annotations string) string {
	switch m := keyword().FindStringSubmatch(keywords); {
	case m != nil && m[1] == "slave":
		return "puppet"
	case m != nil && m[1] == "sync":
		return "remote"
	case m != nil:
		return m[1]
	case isAnybody().MatchString(annotations):
		return "any_peer"
	case isRPC().MatchString(annotations):
		return "authority"
	}
	return ""
}

// arguments counts the arguments between parentheses, of which the first is open: those without a default, and all.
func arguments(text string) (least, most int) {
	depth, some, isOptional := 1, false, false
	count := func() {
		if some {
			most++
			if !isOptional {
				least++
			}
		}
		some, isOptional = false, false
	}
	for _, c := range text {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			if depth--; depth == 0 {
				count()
				return least, most
			}
		case depth > 1:
		case c == ',':
			count()
		case c == '=':
			isOptional = true
		case c > ' ':
			some = true
		}
	}
	return 0, maxArguments // the end is missing
}

// maxArguments is the largest number of arguments of a remote call.
const maxArguments = 255

// server is the id of the server.
const server = 1

// A Request is a remote call of a method of a node, or, in Godot 3, of a property that is to be set.
type Request struct {
	Name, Node string
	From       int32 // the peer that makes it
	IsSet      bool
	Arguments  int // number of arguments of a call
}

// wording is how requests of a kind are refused.
type wording struct {
	engine, verb      string
	missing, unmarked string // why, if no script has such a name, or none lets peers use it
	none              string // what the engine says of the mode then
}

var ofCalls = wording{engine: "RPC", verb: "call", missing: "no script of the project has a method %s",
	unmarked: "%s cannot be called remotely: its func has no remote, puppet or @rpc (%s)"}

var ofSets = wording{engine: "RSET", verb: "set", missing: "%s cannot be set remotely: no script of the project has such a var, or calls rset_config",
	unmarked: "%s cannot be set remotely: its var has no remote or puppet (%s)", none: " Mode is 0, master is 1."}

// variable begins the name of a variable among those of functions.
const variable = "var "

// Refused returns why no script of the project lets a peer make a request, and the words of the engine; "" if some script may.
func (l *Library) Refused(r *Request) (why, engine string) {
	key, says := r.Name, &ofCalls
	if r.IsSet {
		key, says = variable+r.Name, &ofSets
	}
	all := l.functions[key]
	if len(l.functions) == 0 || l.isForeign || l.configured[key] || r.IsSet && len(all) == 0 && l.configured[variable] {
		return "", "" // otherwise a property that no script has may be one of the engine
	}
	engine = fmt.Sprintf("%s '%s' is not allowed on node /root/%s from: %d.", says.engine, r.Name, r.Node, r.From)
	marked := without(all, func(d declared) bool { return d.mode == "" })
	allowed := without(marked, func(d declared) bool {
		return !l.givesAway && r.From != server && (d.mode == "puppet" || d.mode == "authority")
	})
	switch {
	case len(all) == 0:
		return fmt.Sprintf(says.missing, r.Name), engine + says.none
	case len(marked) == 0:
		return fmt.Sprintf(says.unmarked, r.Name, all[0].place()), engine + says.none
	case len(allowed) == 0:
		d := &marked[0]
		return fmt.Sprintf("%s is %s, so only the server may %s it, as nothing in the project gives nodes to other peers (%s)", r.Name, d.mode, says.verb, d.place()), engine + modes[d.mode]
	case r.IsSet || slices.ContainsFunc(allowed, func(d declared) bool { return d.least <= r.Arguments && r.Arguments <= d.most }):
		return "", ""
	}
	d := &allowed[0]
	return fmt.Sprintf("%s takes %s, but is called with %d (%s)", r.Name, d.takes(), r.Arguments, d.place()), d.expected(r.Name, r.Arguments)
}

// modes are what the engine says of the mode of what it refuses. A function without a mode may be of either engine.
var modes = map[string]string{"puppet": " Mode is 3, master is 1.", "authority": " Mode is 2, authority is 1."}

// without returns the functions for which out returns false.
func without(all []declared, out func(declared) bool) []declared {
	return slices.DeleteFunc(slices.Clone(all), out)
}

// expected returns the words of the engine for a call with another number of arguments.
func (d *declared) expected(name string, count int) string {
	noun, limit := "arguments", d.most
	if d.mode == "any_peer" || d.mode == "authority" {
		noun = "argument(s)"
	}
	if count < d.least {
		limit = d.least
	}
	return fmt.Sprintf("RPC - '%s(%s)::%s': Method expected %d %s, but called with %d.", d.base, path.Base(d.file), name, limit, noun, count)
}

// A spawner is a MultiplayerSpawner in a scene.
type spawner struct {
	place  string
	scenes int // number of the scenes that it can spawn
}

// aSpawner is such a node, with what is set in it.
var aSpawner = lazy.Regexp(`(?s)\[node name="([^"]+)" type="MultiplayerSpawner"[^\]]*\](.*?)(?:\n\[|$)`)

// spawnable is the list of its scenes.
var spawnable = lazy.Regexp(`(?s)_spawnable_scenes = [^\n(]*\((.*?)\)`)

// readScene finds the spawners of a scene.
func (l *Library) readScene(file, text string) {
	for _, m := range aSpawner().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		s := spawner{place: fmt.Sprintf("%s:%d", file, strings.Count(text[:m[0]], "\n")+1)}
		if list := spawnable().FindStringSubmatch(text[m[4]:m[5]]); list != nil {
			s.scenes = strings.Count(list[1], `"`) / 2
		}
		l.spawners[name] = append(l.spawners[name], s)
	}
}

// Unspawnable returns why no spawner of the project with a path can make a scene with a number, and the words of the engine; ""
// if some spawner may.
func (l *Library) Unspawnable(node string, scene int) (why, engine string) {
	all := l.spawners[path.Base(node)]
	if len(all) == 0 || l.addsScenes || l.isForeign || slices.ContainsFunc(all, func(s spawner) bool { return scene < s.scenes }) {
		return "", ""
	}
	return fmt.Sprintf("the scene %d is spawned, but %s lists only %d (%s)", scene, node, all[0].scenes, all[0].place),
		fmt.Sprintf("Index p_id = %d is out of bounds ((uint32_t)spawnable_scenes.size() = %d).", scene, all[0].scenes)
}

// List returns the methods that can be called on a node, by the digest of their names.
func (l *Library) List(digest string) (all []string, ok bool) {
	n, ok := l.byDigest[digest]
	return append(slices.Clone(n.node), n.script...), ok
}
