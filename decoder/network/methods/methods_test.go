package methods

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// hero is the script of a node whose digest is in a capture of Godot 4.6.
const hero = `extends Node2D
class_name Hero

@rpc("any_peer") func say(text): pass
@rpc("any_peer", "call_local")
func local_too(): pass
# not @rpc
func _ready(): pass
@rpc
@warning_ignore("unused")

func blob(data): pass
@rpc(
	"authority",
) func owner_only(): pass
@rpc("unreliable_ordered") func ord_two(): pass
@rpc("unreliable", 3) func fast_three(): pass
@rpc("reliable", 1) func chat_one(): pass
@rpc func move_to(x): pass
@rpc() func order(): pass
@export var speed = 3
	@rpc func indented(): pass
func not_called(): pass
`

// project writes a game with some scripts.
func project(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestProject: the digests equal those that Godot 4.6 has sent.
func TestProject(t *testing.T) {
	var many string
	for i := range 300 {
		many += fmt.Sprintf("@rpc func cmd_%03d(): pass\n", i)
	}
	l := New()
	err := l.ReadProject(project(t, map[string]string{
		"hero.gd":         hero,
		"net/many.gd":     many,
		"net/order.gd":    "@rpc func éclair(): pass\n@rpc func zeta(): pass\n@rpc func b2(): pass\n@rpc func b10(): pass\n@rpc func alpha(): pass\n@rpc func _under(): pass\n@rpc func B2(): pass\n@rpc func Alpha(): pass\n",
		"net/base.gd":     "class_name Base\nextends Node\n@rpc func base_one(): pass\n@rpc func shared(): pass\n",
		"net/derived.gd":  "extends \"res://net/base.gd\"\n@rpc func derived(): pass\n@rpc func a_first(): pass\n@rpc func shared(): pass\n",
		"net/mixed.gd":    "extends Node2D\n@rpc func s_two(): pass\n@rpc func s_one(): pass\nfunc _ready():\n\trpc_config(&\"set_visible\", {})\n\t# rpc_config(\"hidden\", {})\n",
		"net/main.gd":     "func _ready():\n\t$Plain.rpc_config(\"set_visible\", {})\n\t$Plain.rpc_config(\"hide\", {})\n",
		".godot/cache.gd": "@rpc func cached(): pass\n",
		"loop.gd":         "extends \"res://loop.gd\"\n@rpc func x(): pass\n",
		"notes.txt":       "@rpc func text(): pass\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		digest string
		id     uint16
		want   string
	}{
		{"f94e523073ae91bdf7cd1e45a69c2f0b", 8, "say"},
		{"f94e523073ae91bdf7cd1e45a69c2f0b", 0, "blob"},
		{"f94e523073ae91bdf7cd1e45a69c2f0b", 9, ""},
		{"9bb25f5ddc9064f5af4f6d505594d8e5", 257, "cmd_257"},
		{"33e70676c2481eadd89119ad7b814cd1", 7, "éclair"},
		{"33e70676c2481eadd89119ad7b814cd1", 0, "Alpha"},
		{"fb389d7e77e5bb2e767bf574c502764d", 1, "base_one"},
		{"cdc73fde71fcccba509b9a8bba999b7e", 1, "s_two"},
		{"cdc73fde71fcccba509b9a8bba999b7e", 0x8000, "set_visible"},
		{"277028ddb2cd01737b5cf8887e334be9", 0x8001, "set_visible"},
		{"d41d8cd98f00b204e9800998ecf8427e", 0, ""},
		{"", 0, ""},
	} {
		if got := l.Name("Hero", test.digest, test.id); got != test.want {
			t.Errorf("%s %#x is %q, not %q", test.digest, test.id, got, test.want)
		}
	}
	if err := New().ReadProject(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a folder that is not there can be read")
	}
}

func TestGive(t *testing.T) {
	l := New()
	wrong := l.Give("# names\n\nGame/oddname 12 8 say\nabc 0x8000 hide\nx y\n5 z\nGame 70000 far\n")
	if !slices.Equal(wrong, []int{5, 6, 7}) {
		t.Errorf("wrong lines %v", wrong)
	}
	if l.Name("Game/oddname 12", "", 8) != "say" || l.Name("Hero", "abc", 0x8000) != "hide" || l.Name("Game", "", 8) != "" {
		t.Error("names")
	}
}

// TestRefused: calls that scripts of Godot 3 and 4 do not allow.
func TestRefused(t *testing.T) {
	l := New()
	l.readScript("player.gd", "extends Node\n\nremote func move(to, speed = Vector2(1, 2).x):\n\tpass\npuppet func hit(by):\n\tpass\nfunc plain():\n\tpass\n"+
		"remotesync func long(a,\n\tb):\n\tpass\nfunc _ready():\n\trpc_config(\"later\", 1)\n")
	l.readScript("four.gd", "@rpc(\"any_peer\", \"call_local\")\nfunc shout(text: String, loud := true) -> void:\n\tpass\n@rpc func told(): pass\nvar x = 1\nfunc quiet(): pass\n")
	for _, test := range []struct {
		name   string
		from   int32
		count  int
		why    string
		engine string
	}{
		{"move", 7, 1, "", ""}, {"move", 7, 2, "", ""}, {"long", 7, 2, "", ""}, {"later", 7, 9, "", ""}, {"shout", 7, 1, "", ""}, {"hit", 1, 1, "", ""}, {"told", 1, 0, "", ""},
		{"move", 7, 3, "move takes 1 to 2 arguments, but is called with 3 (player.gd:3)", "RPC - 'Node(player.gd)::move': Method expected 2 arguments, but called with 3."},
		{"shout", 7, 0, "shout takes 1 to 2 arguments, but is called with 0 (four.gd:2)", "RPC - 'Node(four.gd)::shout': Method expected 1 argument(s), but called with 0."},
		{"hit", 7, 1, "hit is puppet, so only the server may call it, as nothing in the project gives nodes to other peers (player.gd:5)", "RPC 'hit' is not allowed on node /root/A from: 7. Mode is 3, master is 1."},
		{"told", 7, 0, "told is authority, so only the server may call it, as nothing in the project gives nodes to other peers (four.gd:4)", "RPC 'told' is not allowed on node /root/A from: 7. Mode is 2, authority is 1."},
		{"plain", 1, 0, "plain cannot be called remotely: its func has no remote, puppet or @rpc (player.gd:7)", "RPC 'plain' is not allowed on node /root/A from: 1."},
		{"quiet", 1, 0, "quiet cannot be called remotely: its func has no remote, puppet or @rpc (four.gd:6)", "RPC 'quiet' is not allowed on node /root/A from: 1."},
		{"fly", 1, 0, "no script of the project has a method fly", "RPC 'fly' is not allowed on node /root/A from: 1."},
	} {
		if why, engine := l.Refused(&Request{Name: test.name, Node: "A", From: test.from, Arguments: test.count}); why != test.why || engine != test.engine {
			t.Errorf("%s(%d) from %d: %s; %s", test.name, test.count, test.from, why, engine)
		}
	}
	l.readScript("set.gd", "export (int, 1, 9) var hp = 3\nremote var gold\npuppet var speed = 1\n")
	for name, want := range map[string]string{"gold": "; ", "hp": "hp cannot be set remotely: its var has no remote or puppet (set.gd:1); RSET 'hp' is not allowed on node /root/A from: 7. Mode is 0, master is 1.",
		"speed":    "speed is puppet, so only the server may set it, as nothing in the project gives nodes to other peers (set.gd:3); RSET 'speed' is not allowed on node /root/A from: 7. Mode is 3, master is 1.",
		"position": "position cannot be set remotely: no script of the project has such a var, or calls rset_config; RSET 'position' is not allowed on node /root/A from: 7. Mode is 0, master is 1."} {
		if why, engine := l.Refused(&Request{Name: name, Node: "A", From: 7, IsSet: true}); why+"; "+engine != want {
			t.Errorf("%s: %s; %s", name, why, engine)
		}
	}
	l.readScript("more.gd", "func _ready():\n\trset_config(\"position\", MultiplayerAPI.RPC_MODE_REMOTE)\n")
	if why, _ := l.Refused(&Request{Name: "position", Node: "A", From: 7, IsSet: true}); why != "" {
		t.Error(why)
	}
	l.readScript("world.gd", "func _ready():\n\t$Player.set_network_master(7)\n")
	if why, _ := l.Refused(&Request{Name: "hit", Node: "A", From: 7, Arguments: 1}); why != "" {
		t.Error(why)
	}
}
