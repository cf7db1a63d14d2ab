package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// readParquet prints a file's columns with their types, and a line for each row.
const readParquet = `
const { asyncBufferFromFile, parquetReadObjects, parquetMetadataAsync } = await import(process.argv[1] + '/src/node.js')
const file = await asyncBufferFromFile(process.argv[2])
const { schema } = await parquetMetadataAsync(file)
console.log(schema.slice(1).map(c => c.name + ' ' + (c.logical_type?.type ?? c.type)).join(', '))
for (const row of await parquetReadObjects({ file })) {
	console.log(Object.values(row).map(x => x === null ? 'null' : typeof x === 'bigint' ? x + 'n' : JSON.stringify(x)).join(' '))
}`

// countLines is the number of lines in a file.
func countLines(t *testing.T, name string) int {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

// TestParquet: another program reads the common table of the saves in a folder, with its types.
func TestParquet(t *testing.T) {
	library := os.Getenv("HYPARQUET")
	if library == "" {
		t.Skip("HYPARQUET names no folder with the npm package hyparquet")
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.json": `{"items":[{"qty":1,"name":"axe","worn":0.5,"ok":true},{"qty":9007199254740993,"name":"=1+1","worn":2,"ok":false}]}`,
		"b.json": `{"items":[{"qty":-3,"mixed":"x","at":[1,2]},{"worn":1e300,"mixed":7,"file":"own","none":null}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := `file STRING, index INT64, qty INT64, name STRING, worn DOUBLE, ok BOOLEAN, mixed STRING, at STRING, file_ STRING
"a.json" 0n 1n "axe" 0.5 true null null null
"a.json" 1n 9007199254740993n "=1+1" 2 false null null null
"b.json" 0n -3n null null null "x" "[1, 2]" null
"b.json" 1n null null 1e+300 null "7" null "own"
`
	table := exec.Command("varview", "table", folder, "items", "--parquet", filepath.Join(folder, "out.parquet"))
	if out, err := table.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command("node", "--input-type=module", "-e", readParquet, library, filepath.Join(folder, "out.parquet")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	messages := exec.Command("varview", "packets", "testdata/captures/auth.pcap", "--parquet", filepath.Join(folder, "messages.parquet"))
	if out, err := messages.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	read, err := exec.Command("node", "--input-type=module", "-e", readParquet, library, filepath.Join(folder, "messages.parquet")).Output()
	if want := countLines(t, "testdata/captures/auth.messages.jsonl"); err != nil || strings.Count(string(read), "\n") != want+1 {
		t.Errorf("it reads %s (%v), not %d messages", read, err, want)
	}
	if got := strings.ReplaceAll(string(out), folder+"/", ""); got != want {
		t.Errorf("it reads\n%s, not\n%s", got, want)
	}
}
