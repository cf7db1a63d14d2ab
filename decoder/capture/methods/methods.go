// Package methods finds the names of the methods that Godot 4 calls by number. A number
// counts the names of a node's methods in their order, and the MD5 of these names, which the
// network carries, proves which script the node has.
package methods

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// onNode is set in the number of a method that Node.rpc_config has made callable.
const onNode = 0x8000

// names are those of the methods of a node: of its script, and those configured on the node.
type names struct{ script, node []string }

// digest returns the MD5 of the names in their order.
func (n *names) digest() string {
	sum := md5.Sum([]byte(strings.Join(n.node, "") + strings.Join(n.script, "")))
	return hex.EncodeToString(sum[:])
}

// A Library has the names of methods.
type Library struct {
	byDigest map[string]names
	given    map[given]string
}

// A given is a method that a user has named: of a node, by its path or the digest of its
// methods.
type given struct {
	node string
	id   uint16
}

// Len returns the number of nodes that the library tells apart by their methods.
func (l *Library) Len() int { return len(l.byDigest) }

// Name returns the name of a method of a node, "" if it is not known.
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

// sorted returns names in the order in which the engine counts them: that of their code
// points, each once.
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

// Give adds the names of a user's list: lines of a node, a number and a name, where the node is
// its path or the digest of its methods. Lines that begin with # are comments. wrong has the
// numbers of lines that are none of these.
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

// cutLast divides a line before its last word.
func cutLast(s string) (before, word string, ok bool) {
	i := strings.LastIndexAny(s, " \t")
	if i < 0 {
		return "", s, false
	}
	return strings.TrimSpace(s[:i]), s[i+1:], true
}

// New returns a library without names.
func New() *Library { return &Library{byDigest: map[string]names{}, given: map[given]string{}} }
