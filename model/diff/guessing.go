package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/guess"
	"varview/model"
)

// ErrNoSave says that a document has not been saved again as often as values of it are given.
var ErrNoSave = errors.New("that save is not known here: R reads the file again after the game has saved")

// ParseGuess divides what is asked of the bytes of a document: labels, other files or versions of it, and before them a word for the rows
// that are wanted. unknown is a word that is none of these.
func ParseGuess(words []string) (labels, others []string, like, unknown string) {
	for i, word := range words {
		_, absent := os.Stat(word)
		switch {
		case absent == nil, len(OtherFiles(word)) == 0:
			others = append(others, word)
		case strings.Contains(word, "="):
			labels = append(labels, word)
		case i == 0:
			like = word
		default:
			unknown = cmp.Or(unknown, word)
		}
	}
	return labels, others, like, unknown
}

// ToGuess returns a document's file with others, or with versions of the document itself, each of at most some bytes.
func ToGuess(ctx context.Context, d *model.Document, f guess.File, others []string, most int64) ([]guess.File, error) {
	files := []guess.File{f}
	for _, name := range others {
		x, err := Open(ctx, d, name, nil)
		if err != nil {
			return nil, err
		}
		other, err := x.Other.ToGuess(most)
		if err = errors.Join(err, x.Other.Close()); err == nil && other == nil {
			err = fmt.Errorf("%s: only files of up to %s are looked at", name, span.Bytes(most))
		}
		if err != nil {
			return nil, err
		}
		files = append(files, other)
	}
	return files, nil
}

// InSaves turns the values of labels, of which the last is in files[0] and the one before it in files[1], into the order of the files, and
// returns as many of these.
func InSaves(files []guess.File, labels []guess.Label) ([]guess.File, error) {
	n := len(labels[0].Values)
	for i := range labels {
		if len(labels[i].Values) != n {
			return nil, errors.New(":guess needs as many values for each label")
		}
		slices.Reverse(labels[i].Values)
		slices.Reverse(labels[i].Texts)
	}
	if n > len(files) {
		return nil, ErrNoSave
	}
	return files[:n], nil
}
