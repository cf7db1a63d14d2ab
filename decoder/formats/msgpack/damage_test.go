package msgpack_test

import (
	"fmt"
	"strings"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/msgpack"
)

// damaged are damaged files: what is there is shown, and what is missing is named.
var damaged = []struct {
	name, hex, literal, json string
	problems                 []string
}{
	{"nothing", "", "<truncated>", `{"type":"Damaged","problem":"truncated","offset":0}`,
		[]string{"error truncated 0+0 $: there are no bytes where a value is expected"}},
	{"type that is never used", "93 01 c1 02", "[1, <unknown-type>]", `[1,{"type":"Damaged","problem":"unknown-type","offset":2}]`,
		[]string{"error unknown-type 2+1 $[1]: MessagePack has no type 0xc1"}},
	{"cut number", "92 01 cd 01", "[1, <truncated>]", `[1,{"type":"Damaged","problem":"truncated","offset":2}]`,
		[]string{"error truncated 3+1 $[1]: int is cut: value needs 2 bytes, but 1 byte is left"}},
	{"cut length", "da 00", "<truncated>", `{"type":"Damaged","problem":"truncated","offset":0}`,
		[]string{"error truncated 1+1 $: str is cut: length needs 2 bytes, but 1 byte is left"}},
	{"cut data of a fixext", "d5 05 00", "<truncated>", `{"type":"Damaged","problem":"truncated","offset":0}`,
		[]string{"error truncated 2+1 $: ext is cut: data needs 2 bytes, but 1 byte is left"}},
	{"cut timestamp", "c7 0c ff 00000000 0000", "<truncated>", `{"type":"Damaged","problem":"truncated","offset":0}`,
		[]string{"error truncated 7+2 $: timestamp is cut: seconds needs 8 bytes, but 2 bytes are left"}},
	{"text past the end", "81 a161 db 7fffffff 62", `{"a": <length-overrun>}`, `{"a":{"type":"Damaged","problem":"length-overrun","offset":3}}`,
		[]string{"error length-overrun 4+4 $.a: str of 2,147,483,647 bytes, but 1 byte is left"}},
	{"short text past the end", "a3 61", "<length-overrun>", `{"type":"Damaged","problem":"length-overrun","offset":0}`,
		[]string{"error length-overrun 0+1 $: str of 3 bytes, but 1 byte is left"}},
	{"count past the end", "dd ffffffff 01 02", "[1, 2]", "[1,2]",
		[]string{"error length-overrun 1+4 $: array counts 4,294,967,295, but 2 bytes are left"}},
	{"count of pairs past the end", "df ffffffff a161 02", `{"a": 2}`, `{"a":2}`,
		[]string{"error length-overrun 1+4 $: map counts 4,294,967,295, but 3 bytes are left"}},
	{"child missing", "92 a3616263", `["abc"]`, `["abc"]`,
		[]string{"error truncated 0+1 $: array counts 2, the bytes end after 1"}},
	{"value of a key missing", "82 a161 01 a3626364", `{"a": 1, "bcd": <missing-value-of-key>}`,
		`{"a":1,"bcd":{"type":"Damaged","problem":"missing-value-of-key","offset":8}}`,
		[]string{"error missing-value-of-key 0+1 $: map: the bytes end between the key and the value of entry 2 of 2"}},
	{"damaged key", "82 a161 01 a3626364 ", `{"a": 1, "bcd": <missing-value-of-key>}`,
		`{"a":1,"bcd":{"type":"Damaged","problem":"missing-value-of-key","offset":8}}`,
		[]string{"error missing-value-of-key 0+1 $: map: the bytes end between the key and the value of entry 2 of 2"}},
	{"trailing bytes", "90 00", "[]", "[]", []string{"warning trailing-bytes 1+1 $: 1 byte left over after the last value"}},
	{"no UTF-8", "92 a3 61ff62 01", `["a\udcffb", 1]`, `[{"type":"str","hex":"61ff62"},1]`,
		[]string{"warning invalid-utf8 3+1 $[0]: byte 0xff is not valid UTF-8"}},
	{"key that is no UTF-8", "81 a1ff 01", `{"\udcff": 1}`, `{"type":"map","args":[{"type":"str","hex":"ff"},1]}`,
		[]string{`warning invalid-utf8 2+1 $["\udcff"]@key: byte 0xff is not valid UTF-8`}},
	{"repeated key", "82 a161 01 a161 02", `{"a": 1, "a": 2}`, `{"type":"map","args":["a",1,"a",2]}`,
		[]string{"warning repeated-key 4+2 $.a#2@key: an earlier entry has the same key"}},
}

// TestPaths follows paths with keys of all kinds.
func TestPaths(t *testing.T) {
	tr := open(t, simpletest.Hex(t, "89 a2 6964 01  a3 612062 02  03 03  c0 04  c3 05  ca40200000 06  92 01a178 07  c402 00ff 08  82 a161 01 02 90 91 09"))
	r := tr.NewReader()
	for path, want := range map[string]string{
		"$.id": "1", `$["a b"]`: "2", "$[3]": "3", "$[null]": "4", "$[true]": "5", "$[2.5]": "6",
		`$[[1, "x"]]`: "7", "$[bin(00ff)]": "8", `$[{"a": 1, 2: []}][0]`: "9", "$[{\"a\":1,2:[]}]": "[9]", "$.id@key": `"id"`,
	} {
		n, err := r.Resolve(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if got := string(r.AppendLiteral(nil, &n.Value, 100)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		} else if again := r.Path(n); !strings.Contains(path, ":1") && again != path {
			t.Errorf("%s has the path %s", path, again)
		}
	}
}

// TestMaps exports maps with keys that a JSON object cannot have, or that it would confuse with other
// values.
func TestMaps(t *testing.T) {
	for digits, want := range map[string]string{
		"82 a474797065 a3 6d6170 a4 61726773 90": `{"type":"map","args":["type","map","args",[]]}`,
		"82 a474797065 a3 6d6170 a1 61 90":       `{"type":"map","a":[]}`,
		"82 a161 01 d9 01 61 02":                 `{"type":"map","args":["a",1,"a",2]}`, // the same text in another form
		"82 a3 6e616e 01 a1 61 a3 696e66":        `{"nan":1,"a":{"type":"str","hex":"696e66"}}`,
		"82 a3 6e616e 01 02 a4 2d696e66":         `{"type":"map","args":[{"type":"str","hex":"6e616e"},1,2,{"type":"str","hex":"2d696e66"}]}`,
		"92 a4 6e616e20 cb7ff8000000000000":      `["nan ","nan"]`,
		"81 90 81 a161 80":                       `{"type":"map","args":[[],{"a":{}}]}`,
		"81 a161 81 01 81 a162 81 c2 01":         `{"a":{"type":"map","args":[1,{"b":{"type":"map","args":[false,1]}}]}}`,
	} {
		if got := simpletest.JSONOf(t, open(t, simpletest.Hex(t, digits))); got != want {
			t.Errorf("%s: %s, want %s", digits, got, want)
		}
	}
}

// TestLimits checks that literals are cut at their limit and at a depth.
func TestLimits(t *testing.T) {
	deep := open(t, append([]byte(strings.Repeat("\x91", 300000)), 0xc0))
	r := deep.NewReader()
	if got, want := string(r.AppendLiteral(nil, &deep.Base.Value, 1000)), strings.Repeat("[", 31)+"…"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got := simpletest.JSONOf(t, deep)
	damaged := `{"type":"Damaged","problem":"nested-too-deep","offset":131071}`
	if want := strings.Repeat("[", 131071) + damaged + strings.Repeat("]", 131071); got != want {
		t.Errorf("%d bytes, with %q…, want %d", len(got), got[131000:131100], len(want))
	}
	long := open(t, append([]byte{0xdb, 0, 3, 0, 0}, strings.Repeat("é", 3<<15)...))
	if got := string(long.NewReader().AppendLiteral(nil, &long.Base.Value, 10)); got != `"éééé…` {
		t.Error(got)
	}
	if got, want := simpletest.JSONOf(t, long), `"`+strings.Repeat("é", 3<<15)+`"`; got != want {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	long.Source.(source.Bytes)[190001] = 0xff
	if got, want := simpletest.JSONOf(t, long), fmt.Sprintf(`{"type":"str","hex":"%x"}`, long.Source.(source.Bytes)[5:]); got != want {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}

// TestSniff holds which files may be MessagePack without being asked for as that.
func TestSniff(t *testing.T) {
	for digits, want := range map[string]format.Claim{
		"":                          format.None,
		"80":                        format.None,
		"91 a0":                     format.None, // too short
		"81 a161 01":                format.LastResort,
		"91 d9 01 61":               format.LastResort,
		"81 61 01 02":               format.None,
		"dc 0001 a7 61626364656667": format.LastResort,
		"dd 00000001 a161":          format.LastResort,
		"de 0001 05 01":             format.None,
		"df 00000001":               format.None, // ends before the first key
		"df 0000000e" + zeros(27):   format.LastResort,
		"9f" + zeros(15):            format.None, // 15 zeros
		"a9 616263646566676869":     format.None,
		"c1 a16263646566676869":     format.None,
		"01" + zeros(40):            format.None,
	} {
		b := simpletest.Hex(t, digits)
		if got := msgpack.Family.Sniff(source.Bytes(b), span.Between(0, int64(len(b)))); got != want {
			t.Errorf("%s: claim %d, want %d", digits, got, want)
		}
	}
}

// TestRequest checks which requests leave MessagePack open.
func TestRequest(t *testing.T) {
	for _, c := range []struct {
		request format.Request
		want    int
	}{
		{format.Request{}, 1}, {format.Request{Dialect: "msgpack", Framing: "raw"}, 1}, {format.Request{InFile: true}, 1},
		{format.Request{Dialect: "godot4"}, 0}, {format.Request{Framing: "stream"}, 0}, {format.Request{Double: true}, 0},
	} {
		if got := msgpack.Family.Formats(&c.request, source.Bytes{}, span.Span{}); len(got) != c.want {
			t.Errorf("%+v: %d formats", c.request, len(got))
		}
	}
}
