// Package report writes the problems that check finds in the forms that other programs read, and
// knows those that were there before.
package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
)

// A Line is a line of check --json: a problem of a file, or its end.
type Line struct {
	File     string `json:"file"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Buffer   int    `json:"buffer"`
	Offset   int64  `json:"offset"`
	Length   int64  `json:"length"`
	Path     string `json:"path"`
	Message  string `json:"message"`
	Engine   string `json:"engine"`
	Repair   string `json:"repair"`

	Ends bool   `json:"ends"`  // whether all of the file has been checked
	Fail string `json:"error"` // why it could not be
}

// place returns where the problem is, for people.
func (f *Line) place() string {
	place := fmt.Sprintf("%#x %s", f.Offset, f.Path)
	if f.Buffer > 0 {
		place = fmt.Sprintf("buffer %d %s", f.Buffer, place)
	}
	return place
}

// about returns the message with what an engine does and what repairs it.
func (f *Line) about() string {
	parts := []string{f.Message}
	if f.Engine != "" {
		parts = append(parts, "the engine: "+f.Engine)
	}
	if f.Repair != "" {
		parts = append(parts, "repair: "+f.Repair)
	}
	return strings.Join(parts, "; ")
}

// A form is one in which other programs read problems. What it returns is written as it is.
type form interface {
	begin() []byte
	add(f *Line) ([]byte, error)
	end() ([]byte, error)
}

// forms are those that --format names, besides text and json.
var forms = map[string]func(version string) form{
	"github": func(string) form { return github{} },
	"sarif":  func(version string) form { return &sarif{version: version} },
	"junit":  func(string) form { return &junit{} },
}

// Formats are the names of the forms of the output.
var Formats = []string{"text", "json", "github", "sarif", "junit"}

// A Converter writes lines of JSON in another form.
type Converter struct {
	out  io.Writer
	form form
	rest []byte // part of a line whose end has not been written yet
}

// NewConverter begins a report in one of Formats, by a version of varview. It returns nil for text and
// json, which need none.
func NewConverter(out io.Writer, format, version string) (*Converter, error) {
	begin, ok := forms[format]
	if !ok {
		return nil, nil
	}
	c := &Converter{out: out, form: begin(version)}
	_, err := out.Write(c.form.begin())
	return c, err
}

// Write implements io.Writer. It takes lines of check --json, and a line with "ends" after those of a
// file.
func (c *Converter) Write(p []byte) (int, error) {
	c.rest = append(c.rest, p...)
	for {
		line, rest, whole := bytes.Cut(c.rest, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		var f Line
		if err := json.Unmarshal(line, &f); err != nil {
			return 0, err
		}
		b, err := c.form.add(&f)
		if err == nil {
			_, err = c.out.Write(b)
		}
		if err != nil {
			return 0, err
		}
		c.rest = rest
	}
}

// Close ends the report.
func (c *Converter) Close() error {
	b, err := c.form.end()
	if err == nil {
		_, err = c.out.Write(b)
	}
	return err
}

// github is the form of annotations in GitHub's workflows (Workflow commands, "Setting an error
// message").
type github struct{}

func (github) begin() []byte        { return nil }
func (github) end() ([]byte, error) { return nil, nil }

func (github) add(f *Line) ([]byte, error) {
	level := f.Severity
	switch {
	case f.Fail != "":
		return fmt.Appendf(nil, "::error file=%s::%s\n", githubProperty(f.File), githubText(f.Fail)), nil
	case f.Ends:
		return nil, nil
	case level == span.Note.String():
		level = "notice"
	}
	return fmt.Appendf(nil, "::%s file=%s,title=%s::%s: %s\n", level, githubProperty(f.File), githubProperty(f.Code),
		githubText(f.place()), githubText(f.about())), nil
}

var githubEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

func githubText(s string) string { return githubEscapes.Replace(text.Clean(s)) }

func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}

// sarif is SARIF 2.1.0 (OASIS), one run.
type sarif struct {
	version string
	some    bool // a result has been written
	failed  bool // a file could not be read
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID    string       `json:"id"`
	About sarifMessage `json:"shortDescription"`
}

type sarifResult struct {
	Rule      string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical struct {
		File struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	} `json:"physicalLocation"`
	Logical []sarifName `json:"logicalLocations,omitempty"`
}

// A sarifRegion has a line too, since GitHub shows no results without one.
type sarifRegion struct {
	Line   int    `json:"startLine"`
	Offset *int64 `json:"byteOffset,omitempty"` // nil in what the file holds packed
	Length *int64 `json:"byteLength,omitempty"`
}

type sarifName struct {
	Name string `json:"fullyQualifiedName"`
}

// notRead is the rule for a file that could not be read.
const notRead = "not-read"

func (s *sarif) begin() []byte {
	rules := []sarifRule{{notRead, sarifMessage{"a file that cannot be read"}}}
	for _, c := range model.Codes() {
		rules = append(rules, sarifRule{c.Code, sarifMessage{c.About}})
	}
	b, err := json.Marshal(rules)
	if err != nil {
		panic(err) // they are strings
	}
	return fmt.Appendf(nil, `{"version":"2.1.0","$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"tool":{"driver":{"name":"varview","version":%q,"rules":%s}},"results":[`,
		s.version, b)
}

func (s *sarif) add(f *Line) ([]byte, error) {
	r := sarifResult{Rule: f.Code, Level: f.Severity, Message: sarifMessage{f.place() + ": " + f.about()}, Locations: make([]sarifLocation, 1)}
	at := &r.Locations[0]
	at.Physical.File.URI, at.Physical.Region.Line = fileURI(f.File), 1
	switch {
	case f.Fail != "":
		s.failed = true
		r.Rule, r.Level, r.Message.Text = notRead, span.Error.String(), f.Fail
	case f.Ends:
		return nil, nil
	default:
		at.Logical = []sarifName{{f.Path}}
		if f.Buffer == 0 { // others are not bytes of the file
			at.Physical.Region.Offset, at.Physical.Region.Length = &f.Offset, &f.Length
		}
	}
	b, err := json.Marshal(r)
	separator := "\n"
	if s.some {
		separator = ",\n"
	}
	s.some = true
	return append([]byte(separator), b...), err
}

func (s *sarif) end() ([]byte, error) {
	return fmt.Appendf(nil, "\n],\"invocations\":[{\"executionSuccessful\":%v}]}]}\n", !s.failed), nil
}

// junit is the XML of JUnit: a test case for each file, which fails because of errors and warnings. Nothing is
// written before the end, as the suite begins with the numbers of its cases.
type junit struct {
	found                   []Line // lines of the file that is checked
	cases                   bytes.Buffer
	tests, failures, errors int
}

type junitCase struct {
	XMLName xml.Name   `xml:"testcase"`
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Error   *junitText `xml:"error,omitempty"`
	Failure *junitText `xml:"failure,omitempty"`
	Output  string     `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// clean returns text whose characters are all shown, for the texts of XML, which has no escapes of its own for
// them.
func clean(s string) string { return strings.ReplaceAll(text.Clean(s), text.Mark, "") }

func (j *junit) begin() []byte { return nil }

func (j *junit) add(f *Line) ([]byte, error) {
	if !f.Ends {
		j.found = append(j.found, *f)
		return nil, nil
	}
	c := junitCase{Class: "varview.check", Name: clean(f.File)}
	j.tests++
	if f.Fail != "" {
		j.errors++
		c.Error = &junitText{Message: clean(f.Fail)}
	}
	for i := range j.found {
		x := &j.found[i]
		line := clean(fmt.Sprintf("%s: %s: %s (%s)", x.place(), x.Severity, x.about(), x.Code)) + "\n"
		switch {
		case x.Severity == span.Note.String():
			c.Output += line
		case c.Failure == nil:
			j.failures++
			c.Failure = &junitText{Message: clean(x.Message), Text: line}
		default:
			c.Failure.Text += line
		}
	}
	j.found = j.found[:0]
	b, err := xml.Marshal(&c)
	j.cases.Write(append(b, '\n'))
	return nil, err
}

func (j *junit) end() ([]byte, error) {
	return fmt.Appendf(nil, "%s<testsuites>\n<testsuite name=\"varview check\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n%s</testsuite>\n</testsuites>\n",
		xml.Header, j.tests, j.failures, j.errors, j.cases.Bytes()), nil
}

// fileURI returns a path as a reference in URIs.
func fileURI(path string) string { return (&url.URL{Path: filepath.ToSlash(path)}).String() }
