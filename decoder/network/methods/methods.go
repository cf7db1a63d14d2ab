// Package methods finds in a game's scripts which methods can be called remotely, and the names of those that Godot 4 calls by number. A number is an index into
// the sorted names of a node's methods, and the MD5 of these names, which the network carries, proves which
// script the node has.
package methods

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"varview/decoder/engine/lazy"
)

// onNode is set in the number of a method that Node.rpc_config has made callable.
const onNode = 0x8000

// names are the names of a node's methods: those of its script, and those configured on the node.
type names struct{ script, node []string }

// digest returns the MD5 of the names in order.
func (n *names) digest() string {
	sum := md5.Sum([]byte(strings.Join(n.node, "") + strings.Join(n.script, "")))
	return hex.EncodeToString(sum[:])
}

// A Library has the names of methods.
type Library struct {
	byDigest   map[string]names
	given      map[given]string
	functions  map[string][]declared // by their names
	configured map[string]bool       // methods that rpc_config names
	givesAway  bool                  // a script makes peers the masters of nodes
	isForeign  bool                  // there are scripts in other languages
	spawners   map[string][]spawner  // nodes of MultiplayerSpawner in scenes, by their names
	addsScenes bool                  // a script adds scenes to spawners
}

// A given is a method that a user has named. Its node is a path or the digest of its methods.
type given struct {
	node string
	id   uint16
}

// IsEmpty reports whether no methods that can be called are known.
func (l *Library) IsEmpty() bool {
	if len(l.spawners) > 0 {
		return false
	}
	for _, all := range l.functions {
		if slices.ContainsFunc(all, func(d declared) bool { return d.mode != "" }) {
			return false
		}
	}
	return len(l.byDigest) == 0
}

// Name returns the name of a method of a node; "" if it is not known.
func (l *Library) Name(path, digest string, id uint16) string {
	for _, node := range []string{path, digest} {
		if name, ok := l.given[given{node, id}]; ok {
			return name
		}
	}
	n := l.byDigest[digest]
	list := n.script
	if id&onNode != 0 {
		list = n.node
	}
	if i := int(id &^ onNode); i < len(list) {
		return list[i]
	}
	return ""
}

// sorted returns names in the order in which the engine counts them: by code points, each once.
func sorted(all []string) []string {
	all = slices.Clone(all)
	slices.Sort(all)
	return slices.Compact(all)
}

// add adds the names of a node, unless it has none.
func (l *Library) add(n names) {
	if len(n.script)+len(n.node) > 0 {
		l.byDigest[n.digest()] = n
	}
}

// Give adds the names of a user's list: lines of a node, a number and a name, where the node is its path or
// the digest of its methods. Lines that begin with # are comments. wrong has the numbers of all other
// lines.
func (l *Library) Give(list string) (wrong []int) {
	number := 0
	for line := range strings.Lines(list) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rest, name, ok := cutLast(line)
		node, digits, more := cutLast(rest)
		id, err := strconv.ParseUint(digits, 0, 16)
		if !ok || !more || err != nil {
			wrong = append(wrong, number)
			continue
		}
		l.given[given{node, uint16(id)}] = name
	}
	return wrong
}

// cutLast cuts a line before its last word.
func cutLast(s string) (before, word string, ok bool) {
	i := strings.LastIndexAny(s, " \t")
	if i < 0 {
		return "", s, false
	}
	return strings.TrimSpace(s[:i]), s[i+1:], true
}

// New returns a library without names.
func New() *Library {
	return &Library{byDigest: map[string]names{}, given: map[given]string{}, functions: map[string][]declared{}, configured: map[string]bool{}, spawners: map[string][]spawner{}}
}

// A script is what a file of GDScript says about remote calls.
type script struct {
	class   string              // its class_name
	extends string              // a class, or a path in the project
	methods []string            // methods with the annotation @rpc
	node    []string            // methods that it configures on its own node
	others  map[string][]string // methods that it configures on other nodes, by its name for these
}

const (
	maxScript  = 1 << 20 // size of the largest script that is read
	maxScripts = 20000
	maxPairs   = 200000 // largest number of pairs of a script and what is configured on a node
)

// ReadProject adds the names in the scripts of a game: of all *.gd below a folder.
func (l *Library) ReadProject(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return syscall.ENOTDIR // opening a pipe would wait for a writer
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	scripts := map[string]*script{}
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil: // a file that cannot be read names nothing
		case e.IsDir() && name != "." && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case e.Type().IsRegular():
			l.readFile(root.FS(), name, e, scripts)
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.addScripts(scripts)
	return nil
}

// readFile reads a script or a scene.
func (l *Library) readFile(in fs.FS, name string, e fs.DirEntry, scripts map[string]*script) {
	kind := path.Ext(name)
	switch kind {
	case ".cs", ".vs", ".gdns":
		l.isForeign = true
		return
	case ".gd", ".tscn":
	default:
		return
	}
	info, err := e.Info()
	if err != nil || info.Size() > maxScript || len(scripts) >= maxScripts {
		return
	}
	data, err := fs.ReadFile(in, name)
	switch {
	case err != nil:
	case kind == ".tscn":
		l.readScene(name, string(data))
	default:
		scripts["res://"+name] = l.readScript(name, string(data))
	}
}

// addScripts adds the names of scripts, each alone and with what is configured on nodes.
func (l *Library) addScripts(scripts map[string]*script) {
	classes := map[string]*script{}
	for _, s := range scripts {
		if s.class != "" {
			classes[s.class] = s
		}
	}
	var configured [][]string // methods configured on nodes other than the script's own
	for _, s := range scripts {
		for _, list := range s.others {
			configured = append(configured, sorted(list))
		}
	}
	pairs := 0
	for _, s := range scripts {
		var n names
		for of, depth := s, 0; of != nil && depth < len(scripts); depth++ {
			n.script, n.node = append(n.script, of.methods...), append(n.node, of.node...)
			of = base(of, scripts, classes)
		}
		n.script, n.node = sorted(n.script), sorted(n.node)
		l.add(names{script: n.script})
		l.add(n)
		for _, list := range configured {
			if pairs++; pairs < maxPairs {
				l.add(names{n.script, sorted(append(slices.Clone(n.node), list...))})
			}
		}
	}
	for _, list := range configured {
		l.add(names{node: list})
	}
}

// base returns the script that a script extends; nil if that is a class of the engine.
func base(s *script, scripts, classes map[string]*script) *script {
	if of := scripts[s.extends]; of != nil {
		return of
	}
	return classes[s.extends]
}

var (
	classLine  = lazy.Regexp(`^class_name\s+(\w+)`)
	extendLine = lazy.Regexp(`^(?:class_name\s+\w+\s+)?extends\s+(?:"([^"]+)"|'([^']+)'|([\w.]+))`)
	configures = lazy.Regexp(`(?:([\w.$%"/\]\[]+)\.)?\brpc_config\(\s*&?["']([^"']+)["']`)
	permits    = lazy.Regexp(`\brset_config\(\s*["']([^"']+)["']`)
)

// readScript finds what a script says about remote calls, and its functions. Only functions of the script itself count, which
// are not indented. Annotations precede a function, on the same line or above.
func (l *Library) readScript(file, text string) *script {
	l.givesAway = l.givesAway || givesAway().MatchString(text)
	l.addsScenes = l.addsScenes || strings.Contains(text, "add_spawnable_scene") || strings.Contains(text, "MultiplayerSpawner.new")
	s := &script{others: map[string][]string{}}
	annotations, base, lines := "", "Node", strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\t ")
		for ; isOpen(line) && i+1 < len(lines); i++ {
			line += " " + strings.TrimRight(lines[i+1], "\r\t ")
		}
		if strings.HasPrefix(line, "@") {
			annotations += line + "\n"
		}
		if m := classLine().FindStringSubmatch(line); m != nil {
			s.class = m[1]
		}
		if m := extendLine().FindStringSubmatch(line); m != nil {
			s.extends, base = m[1]+m[2]+m[3], cmp.Or(m[3], base)
		}
		if m := declares().FindStringSubmatchIndex(line); m != nil {
			d := declared{file: file, base: base, line: i + 1, mode: mode(line[m[2]:m[3]], annotations)}
			d.least, d.most = arguments(line[m[1]:] + "\n" + strings.Join(lines[i+1:min(i+20, len(lines))], "\n"))
			s.declare(l, line[m[4]:m[5]], d, annotations)
			annotations = ""
		} else if m := variables().FindStringSubmatch(line); m != nil {
			l.functions[variable+m[2]] = append(l.functions[variable+m[2]], declared{file: file, line: i + 1, mode: mode(m[1], "")})
		} else if line != "" && line[0] != '@' && line[0] != '#' {
			annotations = ""
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			l.configure(s, line)
		}
	}
	return s
}

// declare adds a function.
func (s *script) declare(l *Library, name string, d declared, annotations string) {
	l.functions[name] = append(l.functions[name], d)
	if isRPC().MatchString(annotations) {
		s.methods = append(s.methods, name)
	}
}

// configure finds the methods that a line makes callable.
func (l *Library) configure(s *script, line string) {
	if m := permits().FindStringSubmatch(line); m != nil {
		l.configured[variable], l.configured[variable+m[1]] = true, true
	}
	for _, m := range configures().FindAllStringSubmatch(line, -1) {
		l.configured[m[2]] = true
		if m[1] == "" || m[1] == "self" {
			s.node = append(s.node, m[2])
		} else {
			s.others[m[1]] = append(s.others[m[1]], m[2])
		}
	}
}

// isOpen reports whether a line ends within an annotation.
func isOpen(line string) bool {
	const most = 4 << 10
	return strings.HasPrefix(line, "@") && strings.Count(line, "(") > strings.Count(line, ")") && len(line) < most
}
