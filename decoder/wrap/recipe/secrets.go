package recipe

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/own"
)

// hashes are those with which keys are made of passwords.
var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}

// salted begins what OpenSSL and CryptoJS encrypt with a password; eight bytes of salt follow.
const salted = "Salted__"

const saltSize = 8

// fromPassword makes the key and the iv of a password, and returns how many of the first bytes belong to them. After
// Salted__ that is done as OpenSSL and CryptoJS do it; otherwise with PBKDF2, of the salt that the recipe gives, or of
// the iv, as Easy Save 3 does.
func (s *Step) fromPassword(first, iv []byte, kept int) (key, _ []byte, _ int, err error) {
	n := s.KeyBytes
	if bytes.HasPrefix(first, []byte(salted)) && len(first) >= len(salted)+saltSize {
		if n == 0 {
			n = 32
		}
		kept = len(salted) + saltSize
		salt, size := first[len(salted):kept], n+ivSizes[s.Step]
		if s.Rounds == 0 {
			key = bytesToKey(hashes[orElse(s.Hash, "md5")], []byte(s.Password), salt, size)
		} else {
			key, err = pbkdf2.Key(hashes[orElse(s.Hash, "sha256")], s.Password, salt, s.Rounds, size)
		}
		if err != nil {
			return nil, nil, 0, err
		}
		return key[:n], key[n:], kept, nil
	}
	if n == 0 {
		n = 16
	}
	salt := []byte(s.Salt)
	if len(salt) == 0 {
		salt = iv
	}
	rounds := s.Rounds
	if rounds == 0 {
		rounds = 100
	}
	key, err = pbkdf2.Key(hashes[orElse(s.Hash, "sha1")], s.Password, salt, rounds, n)
	return key, iv, kept, err
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// bytesToKey is EVP_BytesToKey of OpenSSL with one round.
func bytesToKey(h func() hash.Hash, password, salt []byte, size int) (key []byte) {
	for block := []byte(nil); len(key) < size; key = append(key, block...) {
		d := h()
		d.Write(block)
		d.Write(password)
		d.Write(salt)
		block = d.Sum(nil)
	}
	return key[:size]
}

// checkPassword returns an error if the fields for a key of a password are wrong.
func (s *Step) checkPassword() error {
	switch {
	case s.Password != "" && s.Key+s.KeyHex != "":
		return errors.New("a step has a key or a password, not both")
	case s.Hash != "" && hashes[s.Hash] == nil:
		return fmt.Errorf("there is no hash %q: md5, sha1, sha256, sha512", s.Hash)
	case s.Rounds < 0 || s.Rounds > 10_000_000:
		return errors.New("rounds are from 1 to 10,000,000")
	case s.KeyBytes != 0 && !slices.Contains([]int{16, 24, 32}, s.KeyBytes):
		return errors.New("key-bytes are 16, 24 or 32")
	}
	return nil
}

// places are what a secret can take from the path of a save: its name, and the folders that it is in.
var places = []string{"{file}", "{folder}", "{folder2}", "{folder3}"}

// For returns the recipe for the file at a path: {file}, {folder}, {folder2} and {folder3} in secrets, salts, keys and
// passwords become the names of the file, of its folder, and of those around that.
func (r *Recipe) For(path string) (*Recipe, error) {
	if !slices.ContainsFunc(places, r.mentions) {
		return r, nil
	}
	if path == "" || path == "-" {
		return nil, fmt.Errorf("%s takes a secret from the path of the file, which has none here", r.Name)
	}
	is, err := namesIn(path)
	if err != nil {
		return nil, err
	}
	at, err := r.with(is)
	at.path = maps.Clone(is)
	maps.DeleteFunc(at.path, func(place, _ string) bool { return !r.mentions(place) })
	return at, err
}

// namesIn returns what the places of secrets are in a path.
func namesIn(path string) (map[string]string, error) {
	path, err := filepath.Abs(path)
	is := map[string]string{}
	for _, place := range places {
		is[place] = filepath.Base(path)
		path = filepath.Dir(path)
	}
	return is, err
}

// IsFor reports whether a file at a path has the same secrets as the one that the recipe is for.
func (r *Recipe) IsFor(path string) bool {
	is, err := namesIn(path)
	return err == nil && !slices.ContainsFunc(places, func(place string) bool {
		name, taken := r.path[place]
		return taken && name != is[place]
	})
}

// With returns the recipe for the bytes of a file: {NAME} in secrets, salts, keys and passwords becomes the field NAME of
// a header, before which no step may need it.
func (r *Recipe) With(ctx context.Context, src source.Source, region span.Span) (*Recipe, error) {
	for i, s := range r.Steps {
		if s.Step != "header" || !slices.ContainsFunc(s.Fields, func(f own.Field) bool { return f.Name != "" && r.mentions("{"+f.Name+"}") }) {
			continue
		}
		l, err := r.opened(ctx, i, src, region)
		if l == nil || err != nil {
			return r, err
		}
		defer l.Close()
		return r.with(own.Named(l))
	}
	return r, nil
}

// opened opens the layer of a step; nil if it cannot be opened.
func (r *Recipe) opened(ctx context.Context, step int, src source.Source, region span.Span) (l *layer.Layer, err error) {
	for _, k := range r.kinds[:step+1] {
		outer := l
		if l, err = layer.Open(ctx, k, src, region, layer.Options{MaxUnpacked: mostBytes}); err != nil {
			return nil, err
		}
		if outer != nil {
			l.OnClose(outer)
		}
		if l.Payload == nil {
			return nil, l.Close()
		}
		src, region = l.Payload, span.Between(0, l.Payload.Size())
	}
	return l, nil
}

// secrets are the texts of a step in which {NAME} stands for something else.
func (s *Step) secrets() []*string { return []*string{&s.Secret, &s.Salt, &s.Key, &s.Password} }

// mentions reports whether a secret of the recipe has a text.
func (r *Recipe) mentions(text string) bool {
	return slices.ContainsFunc(r.Steps, func(s Step) bool {
		return slices.ContainsFunc(s.secrets(), func(t *string) bool { return strings.Contains(*t, text) })
	})
}

// with returns the recipe with texts put in place of others in its secrets.
func (r *Recipe) with(is map[string]string) (*Recipe, error) {
	var pairs []string
	for name, text := range is {
		pairs = append(pairs, name, text)
	}
	put, other := strings.NewReplacer(pairs...), *r
	other.Steps, other.kinds = slices.Clone(r.Steps), nil
	for i := range other.Steps {
		for _, text := range other.Steps[i].secrets() {
			*text = put.Replace(*text)
		}
	}
	return &other, other.complete()
}
