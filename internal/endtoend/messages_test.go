package endtoend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wrongCommands are commands that cannot be done. FILE is a save, and the words of a command are divided by blanks.
var wrongCommands = strings.Split(`nosuch.dat
gett FILE
FILE other.dat
check
check nosuch.dat
check --safe --codes
check --format pdf FILE
get FILE
get nosuch.dat $
get FILE $.nope
get FILE [0
get FILE [99]
get FILE [0].nme
set FILE
set FILE [0].level="x"
set FILE [0].name=maybe
set FILE [0].level=99999999999999999999
set FILE [0].level=
set FILE --where level
insert FILE [0].name=1
insert FILE [0].stats=1
delete FILE
delete FILE [0].nope
sort FILE [0] --by nope
table FILE [0].name
find FILE (
diff FILE
diff FILE nosuch.dat
merge FILE FILE
export FILE --text --typed
export FILE --as godot5
info FILE --framing frames
info FILE --theme nope
info FILE --offset 99999
dump FILE --buffer 99
packets FILE
packets testdata/captures/auth.pcap --extract 1
convert FILE
convert FILE --to nope -o x
import nosuch.json
import FILE
repair --code nope FILE
repair --at 5 FILE
layers
layers FILE --layers nope.layers
guess
ksy nope
watch
watch nosuch.dat
listen
listen tcp
proxy udp :x
listen udp :7000 --fault drop=1%
recover nosuch.dat
config nope
formats nope
get FILE [0].position.up
get FILE [0].buffs[-9]
get FILE ..[hp>
get FILE ..[id==$id]
get FILE [0].hp --arg id
set FILE [0].position=Vector3(1,2)
set FILE [0].alive=maybe
set FILE [0].hp=*x
set FILE [0].hp
set FILE [0].buffs[7]=1
set FILE --reverse
set FILE $=
set FILE [0].hp=/0
set FILE [0].level=/2
delete FILE $
delete FILE [0].buffs[9]
insert FILE [0].buffs[9]=1
insert FILE [0].hp.x=1
convert FILE --to json -o x
convert testdata/godot4/save-settings.bin --to godot3 -o x
repair testdata/damaged/unknown-type-in-second-frame.bin --choose 9
repair FILE --from-backup
table FILE [0].stats --sort nope
table FILE [0].buffs --sort nope
table FILE [0].buffs --filter id~
table FILE [0].buffs --import-csv nosuch.csv
sort FILE [0].name
watch FILE --when (
info FILE --password-file nosuch.txt
info FILE --key 12
info FILE --max-unpacked x
info FILE --color nope
info FILE --input nope
info FILE --offset -1
info FILE --nope
restore FILE
restore FILE --max-age x
guess FILE gold
guess FILE gold=1,2
ksy check nosuch.ksy
ksy new
formats godot4 x
help nope
info FILE --schema nosuch.gml
packets testdata/captures/auth.pcap --project nosuch
merge FILE nosuch.dat FILE -o x
import FILE -o x
check FILE --baseline nosuch.json
find FILE kye:hp
find FILE >high
find FILE type:Vektor
find FILE /(/
find FILE x:1
diff FILE FILE --tolerance x
proxy udp :x host
listen udp :99999
packets testdata/captures/auth.pcap --extract 999 -o x
packets testdata/captures/auth.pcap --flow 9=udp
packets testdata/captures/auth.pcap --columns nope
packets testdata/captures/auth.pcap kind:rcp
packets testdata/captures/auth.pcap --follow 9`, "\n")

// TestMessages compares what wrong commands say with a file that is read aloud: each says what is wrong, and what to do.
func TestMessages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "save.dat")
	data, err := os.ReadFile("testdata/godot4/save-player-stats.bin")
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, data)
	var got strings.Builder
	for _, line := range wrongCommands {
		args := strings.Fields(strings.ReplaceAll(line, "FILE", file))
		out, status := start(t, args)
		if status == 0 || out.stderr == "" {
			t.Errorf("varview %s: no message", line)
		}
		first, _, _ := strings.Cut(out.stderr, "\n")
		got.WriteString("$ varview " + line + "\n" + strings.ReplaceAll(first, file, "FILE") + "\n")
	}
	const golden = "testdata/messages.txt"
	if *update {
		write(t, golden, []byte(got.String()))
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != got.String() {
		t.Errorf("%v: the messages are\n%s", err, got.String())
	}
}
