package savefile_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"varview/model/savefile"
)

// A game says how it packs its saves, with a writer and a reader of their own. Either may assume that the other bytes
// are right.
type game struct {
	file   string // its path in the folder of saves
	layers string // recipe beside it, in testdata/recipes; "" for what is built in
	path   string // of the gold
	plain  func(gold int) string
	pack   func(t *testing.T, plain string) string
	unpack func(t *testing.T, file string) string // nil to compare the packed bytes
}

func asJSON(gold int) string {
	return fmt.Sprintf(`{"name":"Mira","gold":%d,"party":[{"hp":83},{"hp":12}],"items":["sword","rope"]}`, gold)
}

// word returns a String of Godot.
func word(s string) string {
	return inBytes(4) + inBytes(uint32(len(s))) + s + strings.Repeat("\x00", -len(s)&3)
}

// asGodot returns a stream of one Dictionary.
func asGodot(gold int) string {
	u32 := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	v := u32(27) + u32(3) + word("gold") + u32(2) + u32(gold) + word("name") + word("Mira") + word("level") + u32(2) + u32(7)
	return u32(len(v)) + v
}

func asLines(gold int) string {
	return fmt.Sprintf("Mira\r\n5 \r\n%d \r\n0 \r\n20 \r\n", gold) + strings.Repeat("0 \r\n1 \r\n", 20)
}

func inBase64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func inBytes(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }

// godotHash is String.hash of Godot.
func godotHash(s string) uint32 {
	sum := uint32(5381)
	for _, c := range s {
		sum = sum<<5 + sum + uint32(c)
	}
	return sum
}

func deflate(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func inflate(t *testing.T, s string) string {
	r, err := zlib.NewReader(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	return all(t, r)
}

func all(t *testing.T, r io.Reader) string {
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func decoded(t *testing.T, s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func plainly(_ *testing.T, s string) string { return s }

// each changes each character.
func each(f func(i int, r rune) rune) func(*testing.T, string) string {
	return func(_ *testing.T, s string) string {
		out := []rune{}
		for i, r := range []rune(s) {
			out = append(out, f(i, r))
		}
		return string(out)
	}
}

// xor changes each byte.
func xor(key string) func(*testing.T, string) string {
	return func(_ *testing.T, s string) string {
		out := []byte(s)
		for i := range out {
			out[i] ^= key[i%len(key)]
		}
		return string(out)
	}
}

func sized[T string | []byte](s T) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(s)))) + string(s)
}

// heroSiege combines bytes with the key that the editors of this game's saves publish.
var heroSiege = xor("\xe3\x95\x3d\xb1\x01\x6b\xb6\x58\x54\x38\x3f\x46\xa1\x74\x29\xcc\x45\x45\x51\xf2\xa7\xf7\xab\xb7\x26\xf1\x37\xa8\x81\x91\xe6\x7e")

// asMap is what ds_map_write returns for two entries.
func asMap(gold int) string {
	real := func(f float64) string {
		return inBytes(0) + string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
	}
	text := func(s string) string { return inBytes(1) + inBytes(uint32(len(s))) + s }
	return fmt.Sprintf("%X", inBytes(403)+inBytes(2)+text("gold")+real(float64(gold))+text("day")+real(3))
}

// secured is what ds_map_secure_save writes.
func secured(_ *testing.T, s string) string { return inBase64(device + s + "\x00") }

// linesBefore returns a text of some lines as GameMaker writes them, one with other text, and more behind it.
func linesBefore(n int, line string) string {
	return "Mira\r\n" + strings.Repeat("0 \r\n", n-1) + line + "\r\n" + strings.Repeat("1 \r\n0 \r\n", 300)
}

const device = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789ab"

var games = map[string]game{
	"Halls of Torment": {file: "save.dat", path: "gold", plain: asJSON, pack: xor("\x5a")},
	"a stream, too":    {file: "slot.dat", path: "$[0].gold", plain: asGodot, pack: xor("\xa7")},
	"a game of GDevelop": {file: "save.es4", path: "$[0].gold", plain: func(gold int) string { return "[" + asJSON(gold) + `,"0ef304"]` },
		pack: each(func(_ int, r rune) rune { return r + 1234 })},
	"Hyper Light Drifter": {file: "HyperLight_RecordOfTheDrifter_0.sav", path: "gold",
		plain: func(gold int) string {
			return fmt.Sprintf(`{ "name": "Mira", "gold": %d.000000, "hp": 3.000000 }`, gold)
		},
		pack: func(_ *testing.T, s string) string {
			return base64.StdEncoding.EncodeToString([]byte(device+s+"\x00")) + "\x00"
		},
		unpack: func(t *testing.T, s string) string { return decoded(t, strings.TrimRight(s, "\x00"))[len(device):] }},
	"Stoneshard": {file: "character_1/exit_2/data.sav", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			return deflate(fmt.Sprintf("%s%x", s, md5.Sum([]byte(s+"stOne!characters_v1!character_1!exit_2!shArd"))))
		}, unpack: inflate},
	"Fields of Mistria": {file: "game-1.sav", path: "player.gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			return deflate(sized("player") + sized(s) + sized("world") + sized(`{"day":3}`))
		},
		unpack: inflate},
	"Thrive": {file: "auto.thrivesave", path: `["save.json"].gold`, plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			w := tar.NewWriter(z)
			w.WriteHeader(&tar.Header{Name: "save.json", Size: int64(len(s)), Mode: 0o644})
			w.Write([]byte(s))
			w.Close()
			z.Close()
			return b.String()
		},
		unpack: func(t *testing.T, s string) string {
			z, err := gzip.NewReader(strings.NewReader(s))
			if err != nil {
				t.Fatal(err)
			}
			return all(t, z)
		}},
	"files in a zip archive": {file: "backup.zip", path: `["slot1.json"].gold`, plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for _, name := range []string{"slot1.json", "thumbnail"} {
				f, _ := w.Create(name)
				io.WriteString(f, s)
				s = "\x89PNG"
			}
			w.Close()
			return b.String()
		},
		unpack: func(t *testing.T, s string) (contents string) {
			z, err := zip.NewReader(strings.NewReader(s), int64(len(s)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				contents += f.Name + all(t, r)
			}
			return contents
		}},
	"UFO 50": {file: "save1.ufo", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			return base64.StdEncoding.EncodeToString([]byte(s+"\x00")) + "\x00"
		}},
	"Hero Siege": {file: "herosiege3.hss", path: `["0"].gold`, plain: func(gold int) string {
		return fmt.Sprintf("[0]\r\nname=\"Mira\"\r\ngold=\"%d.000000\"\r\n[inventory]\r\nitem_0=\"\"\r\n", gold)
	}, pack: func(t *testing.T, s string) string {
		return inBase64(deflate(heroSiege(t, strings.Join(strings.Split(s, ""), "\x00")+"\x00"))) + "\x00"
	}, unpack: func(t *testing.T, s string) string {
		return strings.ReplaceAll(heroSiege(t, inflate(t, decoded(t, strings.TrimSuffix(s, "\x00")))), "\x00", "")
	}},
	"a header that begins like a section": {file: "slot1.sav", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			return "[=" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
		}},
	"Siralim": {file: "slot1.sav", path: "player.gold",
		plain: func(gold int) string {
			return fmt.Sprintf("[player]\nname=\"Mira\"\ngold=\"%d\"\n[pets]\nempty=\"\"\n", gold)
		},
		pack: func(_ *testing.T, s string) string {
			out, i := "", 0
			for _, r := range s {
				if strings.ContainsRune("[]=\"\n", r) {
					i = -1
				} else {
					r += rune("QWERTY"[i%6])
				}
				out, i = out+string(r), i+1
			}
			return out
		}},
	"Super Mario Maker: World Engine": {file: "level.swe", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		h := hmac.New(sha1.New, []byte("2559F35097-2021"))
		io.WriteString(h, inBase64(s))
		return fmt.Sprintf("%s%x", inBase64(s), h.Sum(nil))
	}},
	"an I Wanna engine, whose hash has a text of the game's own in it": {file: "Data/save1", path: "gold", plain: func(gold int) string {
		return fmt.Sprintf(`{ "gold": %d.000000, "room": "rStage01", "mapMd5": "6c1b1e3b9f3c4bd7a55a5ea0c3f2e4d1", "death": 12.000000 }`, gold)
	}, pack: func(_ *testing.T, s string) string { return inBase64(s) }},
	"godot_save": {file: "slot1.gsav", layers: "godot-save", path: `["data.bin"].gold`,
		plain: func(gold int) string { // JSON.stringify sorts the keys
			save := func(sum string) string {
				return fmt.Sprintf(`{"_meta":{%s"version":2},"gold":%d,"items":["sword","rope"],"name":"Mira"}`, sum, gold)
			}
			return save(fmt.Sprintf(`"checksum":"%x",`, sha256.Sum256([]byte(save("")))))
		},
		pack: func(t *testing.T, s string) string {
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			w, err := z.Create("data.bin")
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(w, s)
			z.Close()
			n := aes.BlockSize - b.Len()%aes.BlockSize
			b.Write(bytes.Repeat([]byte{byte(n)}, n))
			key := sha256.Sum256([]byte("a game's own key"))
			block, _ := aes.NewCipher(key[:])
			cipher.NewCBCEncrypter(block, key[:aes.BlockSize]).CryptBlocks(b.Bytes(), b.Bytes())
			return b.String()
		},
		unpack: func(t *testing.T, s string) string {
			b := []byte(s)
			key := sha256.Sum256([]byte("a game's own key"))
			block, _ := aes.NewCipher(key[:])
			cipher.NewCBCDecrypter(block, key[:aes.BlockSize]).CryptBlocks(b, b)
			b = b[:len(b)-int(b[len(b)-1])]
			z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			f, err := z.Open("data.bin")
			if err != nil {
				t.Fatal(err)
			}
			return all(t, f)
		}},
	"HoloCure": {file: "save_n.dat", path: "gold", pack: secured, plain: func(gold int) string {
		return fmt.Sprintf(`{ "gold": %d.000000, "characters": [ [ "mira", 1.000000 ], [ "ann", 0.000000 ] ], "time": 12.500000 }`, gold)
	}},
	"Undertale":    {file: "file0", path: "gold", pack: plainly, plain: func(gold int) string { return linesBefore(10, fmt.Sprintf("%d ", gold)) }},
	"Heartbound":   {file: "save_1.thor", path: "$[12]", pack: plainly, plain: func(gold int) string { return linesBefore(12, fmt.Sprint(gold)) }},
	"VA-11 HALL-A": {file: "slot1.sav", path: "$[12].gold", pack: plainly, plain: func(gold int) string { return linesBefore(12, asMap(gold)) }},
	"Katana ZERO":  {file: "savefile.zero", path: "$[1].gold", pack: plainly, plain: func(gold int) string { return linesBefore(1, asMap(gold)) }},
	"Star of Providence": {file: "save0", path: "$[12].gold", pack: plainly, plain: func(gold int) string {
		return linesBefore(12, fmt.Sprintf(`{ "gold": %d.000000, "floors": [ 1.000000, 2.000000 ] }`, gold))
	}},
	"Hotline Miami": {file: "saves.dat", path: "$[2]", plain: asLines, pack: xor("\x00")},
	"Deltarune": {file: "filech1_0", path: "gold", plain: func(gold int) string {
		return fmt.Sprintf("Mira\r\n%s%d \r\n", strings.Repeat("0 \r\n", 9), gold) + strings.Repeat("0 \r\n1 \r\n", 1500)
	}, pack: plainly},
	"lines that hold JSON, as in Chicory": {file: "slot_0", path: "$[3].gold", plain: func(gold int) string {
		return "Mira\n5 \n1 \n" + asJSON(gold) + strings.Repeat("\n0 \n1 ", 12) + "\n"
	}, pack: plainly},
	"Deltarune on the Switch": {file: "deltarune.sav", path: "filech1_0@open[10]", pack: plainly, plain: func(gold int) string {
		return fmt.Sprintf(`{"filech1_0":"Mira\r\n%X\r\n%s%d \r\n%s","dr.ini":"[G0]\r\nName=\"Mira\"\r\n"}`, inBytes(303)+inBytes(1)+inBytes(1)+inBytes(2)+"ab", strings.Repeat(`1 \r\n`, 8), gold, strings.Repeat(`0 \r\n`, 30))
	}},
	"Luck be a Landlord": {file: "LBAL.save", path: "$[1].gold", pack: plainly, plain: func(gold int) string {
		return "{\"reels\":5,\"spins\":12}\n" + asJSON(gold) + "\n{\"floor\":3}\n"
	}},
	"Cook, Serve, Delicious, a line in base64": {file: "save.csd", path: "$[1]@open", pack: plainly, plain: func(gold int) string {
		return inBase64("Mira") + "\r\n" + inBase64(fmt.Sprint(gold)) + "\r\n" + strings.Repeat(inBase64("370")+"\r\n", 30)
	}},
	"Rusted Moss, a buffer that is packed": {file: "save0.sav", path: "gold", pack: func(_ *testing.T, s string) string { return deflate(s + "\x00") }, unpack: inflate, plain: asJSON},
	"a game in C#, with BinaryWriter": {file: "slot.dat", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return inBytes(0x387affa3) + inBytes(1) + inBytes(2) + inBytes(3) + string(binary.AppendUvarint(nil, uint64(len(s)))) + s
	}},
	"a description in JSON before INI": {file: "slot.sav", path: "Game.gold", pack: plainly, plain: func(gold int) string {
		body := fmt.Sprintf("[Game]\r\nname=\"Mira\"\r\ngold=\"%d.000000\"\r\nhp=\"71.000000\"\r\n", gold)
		return fmt.Sprintf("{\"version\":7,\"size\":%d,\"md5\":\"%x\"}\n", len(body), md5.Sum([]byte(body))) + body
	}},
	"a thumbnail before store_var": {file: "slot.png.sav", path: "$[0].gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		picture := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x5c\xe1\x07\x93\xaa", 80) + "IEND\xaeB`\x82"
		return inBytes(uint32(len(picture))) + picture + s
	}},
	"Nuclear Throne": {file: "nuclearthrone.sav", path: "stats.gold", plain: func(gold int) string {
		return fmt.Sprintf(`{ "stats": { "gold": %d.000000, "loop": 1.000000 }, "options": { "volume": 0.800000, "list": [ 1.000000, 0.000000 ] } }`, gold)
	}, pack: func(_ *testing.T, s string) string { return s + strings.Repeat("\x00", 256-len(s)) }},
	"Brotato":                    {file: "save_v2.json", path: "gold", plain: asJSON, pack: plainly},
	"Buckshot Roulette":          {file: "buckshotroulette_playerdata.shell", path: "$[0].gold", plain: asGodot, pack: plainly},
	"Webfishing":                 {file: "webfishing_save_data.sav", path: "$[0].gold", plain: func(gold int) string { return strings.Replace(asGodot(gold), "\x1b", "\x12", 1) }, pack: plainly},
	"a version before store_var": {file: "user.dat", path: "$[0].gold", plain: asGodot, pack: func(_ *testing.T, s string) string { return "\x0c\x00\x00\x00" + s }},
	"an MD5 that leaves out the byte order mark": {file: "save.json", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return fmt.Sprintf("\xef\xbb\xbf%s\n%x\n", s, md5.Sum([]byte(s))) }},
	"an MD5 of what is in base64":                {file: "save.txt", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return inBase64(s) + fmt.Sprintf("\n%x", md5.Sum([]byte(s))) }},
	"a SHA-1 before base64": {file: "save.txt", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("%x|", sha1.Sum([]byte(inBase64(s)))) + inBase64(s)
	}},
	"a SHA-1 of what is in base64 behind it": {file: "save.txt", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return inBase64(s) + fmt.Sprintf("%x", sha1.Sum([]byte(s))) }},
	"a SHA-512 behind a colon":               {file: "save.txt", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return fmt.Sprintf("%x:", sha512.Sum512([]byte(s))) + s }},
	"a CRC-32 before a character that is the size of what follows it": {file: "save.txt", path: "gold",
		plain: func(gold int) string { return asJSON(gold) + "           "[:93-len(asJSON(1200))] },
		pack: func(_ *testing.T, s string) string {
			return fmt.Sprintf("SAVE|%d|", crc32.ChecksumIEEE([]byte(inBase64(s)))) + inBase64(s)
		}},
	"an MD5 of what is in digits":      {file: "save.txt", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return fmt.Sprintf("%x\r\n%x\r\n", s, md5.Sum([]byte(s))) }},
	"an MD5 before base64":             {file: "save.txt", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return fmt.Sprintf("%x", md5.Sum([]byte(s))) + inBase64(s) }},
	"String.hash of Godot before JSON": {file: "save.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return "SV" + inBytes(godotHash(s)) + s }},
	"a CRC-32 at an odd place of the header": {file: "save.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		s = "\x05\x00" + s
		return "SV\x01" + inBytes(crc32.ChecksumIEEE([]byte(s))) + s
	}},
	"JSON texts with their lengths, as store_pascal_string writes them": {file: "save.dat", path: "texts[1].value.gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			return inBytes(13) + `{"version":3}` + inBytes(uint32(len(s))) + s + inBytes(7) + "[1,2,3]"
		}},
	"an MD5 of a text beside it": {file: "save.json", path: "data.gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("{\n\t\"checksum\": \"%x\",\n\t\"data\": %q\n}", md5.Sum([]byte(s)), s)
	}},
	"an MD5 of an object in another layout": {file: "save.json", path: "data.gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		var out bytes.Buffer
		json.Indent(&out, fmt.Appendf(nil, `{"hash":"%x","data":%s}`, md5.Sum([]byte(s)), s), "", "\t")
		return out.String()
	}},
	"an MD5 of an object with blanks": {file: "save.json", path: "data.gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		blanks := strings.NewReplacer(",", ", ", ":", ": ").Replace(s)
		return fmt.Sprintf(`{"data":%s,"hash":"%x"}`, s, md5.Sum([]byte(blanks)))
	}},
	"a SHA-1 of an object, beside what it is in": {file: "save.json", path: "$[0].data.gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf(`[{"_meta":{"v":3,"checksum":"%x"},"data":%s}]`, sha1.Sum([]byte(s)), s)
	}},
	"String.hash as a number": {file: "save.json", path: "data.gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf(`{"hash":%d,"data":%q}`, godotHash(s), s)
	}},
	"an MD5 of var_to_bytes": {file: "save.dat", path: "$[0].data.gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		v := inBytes(27) + inBytes(2) + word("sum") + word(fmt.Sprintf("%x", md5.Sum([]byte(s[4:])))) + word("data") + s[4:]
		return inBytes(uint32(len(v))) + v
	}},
	"Cassette Beasts": {file: "file1.json.gcpf", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		w, _ := zstd.NewWriter(nil)
		u32 := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
		block := string(w.EncodeAll([]byte(s), nil))
		return "GCPF" + u32(2) + u32(4096) + u32(len(s)) + u32(len(block)) + block + "GCPF"
	}, unpack: func(t *testing.T, s string) string {
		r, _ := zstd.NewReader(nil)
		defer r.Close()
		b, err := r.DecodeAll([]byte(s[20:len(s)-4]), nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}},
	"the sizes of values and file, and zeros behind them": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		b := binary.LittleEndian.AppendUint16([]byte("MYSAVE\n\x03\x00\x00\x00"), uint16(len(s)))
		return string(binary.LittleEndian.AppendUint64(b, uint64(len(b)+8+len(s)+4))) + s + "\x00\x00\x00\x00"
	}},
	"a CRC-32 in decimal digits": {file: "slot.json", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("%d\n%s", crc32.ChecksumIEEE([]byte(s)), s)
	}},
	"a size in hexadecimal digits": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("DATA: %08X\n%s", len(s), s)
	}},
	"a CRC-32 in decimal digits on the last line": {file: "slot.json", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("%s\n%d\n", s, crc32.ChecksumIEEE([]byte(s)))
	}},
	"the size on the last line": {file: "slot.json", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("%s\n%d", s, len(s))
	}},
	"a checksum on a line, and the size on the last one": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("SAVE\n%x\n%s\n%d\n", md5.Sum([]byte(s)), s, len(s))
	}},
	"the size on a line before it": {file: "slot.json", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return fmt.Sprintf("%d\n%s", len(s), s) }},
	"the sum of all bytes": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		sum := uint16(0)
		for _, c := range []byte(s) {
			sum += uint16(c)
		}
		return "SV" + string(binary.LittleEndian.AppendUint16(nil, sum)) + inBytes(uint32(len(s))) + s
	}},
	"a number of characters": {file: "slot.sav", path: "gold", plain: func(gold int) string { return strings.Replace(asJSON(gold), "rope", "Schl\u00fcssel", 1) },
		pack: func(_ *testing.T, s string) string { return inBytes(uint32(len([]rune(s)))) + s }},
	"a CRC-32 of the zlib stream in base64": {file: "slot.sav", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			z := deflate(s)
			return fmt.Sprintf("SAVE|%08x|", crc32.ChecksumIEEE([]byte(z))) + inBase64(z)
		},
		unpack: func(t *testing.T, s string) string {
			z := decoded(t, s[14:])
			if fmt.Sprintf("SAVE|%08x|", crc32.ChecksumIEEE([]byte(z))) != s[:14] {
				t.Errorf("%s does not fit", s[:14])
			}
			return inflate(t, z)
		}},
	"a size between colons": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("SAVE:1:%d:%08x\n%s", len(s), crc32.ChecksumIEEE([]byte(s)), s)
	}},
	"the size of a text beside it": {file: "save.json", path: "data.gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf(`{"version":2,"size":%d,"data":%q}`, len(s), s)
	}},
	"the settings of a Godot project": {file: "project.binary", path: "settings[0].value.gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		return "ECFG" + inBytes(2) + inBytes(9) + "game/hero" + s + inBytes(3) + "a/b" + asGodot(3)
	}},
	"a checksum between two frames": {file: "slot.sav", path: "$[1].gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		return asGodot(7) + inBytes(crc32.ChecksumIEEE([]byte(s[4:]))) + s
	}},
	"JSON with its length, and a CRC-32 of the value behind it": {file: "slot.sav", path: "gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		meta := `{"version": "1.2.0", "slot": 2, "scene": "res://levels/cave.tscn", "name": "Mira"}`
		return inBytes(uint32(len(meta))) + meta + inBytes(crc32.ChecksumIEEE([]byte(s[4:]))) + s[4:]
	}},
	"chunks with names": {file: "slot.sav", path: "$[1].gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		head := `{"version": "1.2.0", "slot": 2, "scene": "rm_cave"}`
		return "FORM" + inBytes(uint32(16+len(head)+len(s))) + "HEAD" + inBytes(uint32(len(head))) + head + "PLYR" + inBytes(uint32(len(s))) + s
	}},
	"a name before each store_var": {file: "slot.sav", path: "$[1].gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		return "\x02" + inBytes(7) + "options" + asGodot(3) + inBytes(4) + "hero" + s
	}},
	"four letters before each store_var": {file: "slot.sav", path: "$[0].gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		return "HERO" + s + "OPTS" + asGodot(3) + "SEED" + asGodot(77)
	}},
	"offsets before several store_var": {file: "slot.sav", path: "$[0].gold", plain: asGodot, pack: func(_ *testing.T, s string) string {
		return "IDX1" + inBytes(2) + inBytes(16) + inBytes(uint32(16+len(s))) + s + asGodot(3)
	}},
	"a line of JSON behind its hash": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("%x\n%s\n", sha256.Sum256([]byte(s)), s)
	}},
	"one byte behind a size": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(t *testing.T, s string) string {
		return inBytes(uint32(len(s))) + xor("\x5a")(t, s)
	}},
	"a line before base64": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string { return "SAVE\n3\n" + inBase64(s+"  ") + "\n" }},
	"two CRC-32": {file: "slot.sav", path: "gold", plain: asJSON, pack: func(_ *testing.T, s string) string {
		sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(s)))
		return "GAME1" + string(sum) + string(sum) + s
	}},
	"the digits of a hash before the size": {file: "slot.sav", path: "$.gold", plain: asMessagePack, pack: func(_ *testing.T, s string) string {
		return fmt.Sprintf("SAVE%x%s%s", sha512.Sum512([]byte(s)), string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))), s)
	}},
	"a size that looks like a list": {file: "slot.sav", path: "$.gold", plain: asMessagePack, pack: func(_ *testing.T, s string) string {
		b := binary.BigEndian.AppendUint64([]byte("MYSAVE\n"), uint64(7+8+4+len(s)+4))
		return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(s)))) + s + "END!"
	}},
	"the size before zlib, as decompress() needs it": {file: "world.sav", path: "gold", plain: asJSON,
		pack:   func(_ *testing.T, s string) string { return sized(s)[:8] + deflate(s) },
		unpack: func(t *testing.T, s string) string { return s[:8] + inflate(t, s[8:]) }},
	"two sizes before zlib, behind a longer header": {file: "world.sav", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			return "HEAD\x01\x00\x00\x00\x07\x00\x00\x00" + inBytes(uint32(len(deflate(s)))) + inBytes(uint32(len(s))) + deflate(s)
		},
		unpack: func(t *testing.T, s string) string {
			if n := binary.LittleEndian.Uint32([]byte(s[12:])); int(n) != len(s)-20 {
				t.Errorf("a packed size of %d, not %d", n, len(s)-20)
			}
			return s[:12] + s[16:20] + inflate(t, s[20:])
		}},
	"hash of a PoolByteArray": {file: "slot.sav", path: "gold", plain: func(gold int) string { return asGodot(gold)[4:] }, pack: func(_ *testing.T, s string) string {
		sum := uint32(5381)
		for _, c := range []byte(s) {
			sum = sum*33 + uint32(c)
		}
		return "\x02\x00\x00\x00" + inBytes(uint32(len(s))) + s + inBytes(sum)
	}},
	"a checksum on a line of its own": {file: "slot.txt", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string { return fmt.Sprintf("%s\n%x\n", s, md5.Sum([]byte(s))) }},
	"a header and two values": {file: "slot.kit", layers: "savekit", path: "$[0].gold",
		plain: func(gold int) string { return asGodot(gold)[4:] + asGodot(1)[4:] },
		pack: func(_ *testing.T, s string) string {
			return "\x07\x00\x00\x00SAVEKIT\x00\x02" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
		}},
	"a version before a secure save": {file: "slot.dat", path: "gold",
		plain: func(gold int) string { return fmt.Sprintf(`{ "name": "Mira", "gold": %d.000000 }`, gold) },
		pack:  func(t *testing.T, s string) string { return inBytes(23) + secured(t, s) }},
	"a word and base64": {file: "slot.b64", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string { return "SAVE " + inBase64(s) }},
	"a checksum and a size": {file: "slot.dat", path: "$[0].gold", plain: asGodot,
		pack: func(_ *testing.T, s string) string {
			return "SAVE" + inBytes(3) + inBytes(crc32.ChecksumIEEE([]byte(s[4:]))) + s
		}},
	"a trailer of a mark and a checksum of all": {file: "slot.sav", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			all := "SAVE" + inBytes(3) + inBytes(uint32(len(s))) + s
			return all + inBytes(crc32.ChecksumIEEE([]byte(all))) + "END!"
		}},
	"numbers added": {file: "a.key", layers: "siralim", path: "gold", plain: asJSON,
		pack: each(func(i int, r rune) rune { return r + []rune{3, 300, 1, 4}[i%4] })},
	"UTF-16 and a word": {file: "a.hero", layers: "heroes", path: "gold", plain: asJSON,
		pack: func(t *testing.T, s string) string {
			b := []byte{}
			for _, u := range utf16.Encode([]rune(s)) {
				b = binary.LittleEndian.AppendUint16(b, u)
			}
			return xor("swordfish")(t, string(b))
		}},
	"an HMAC": {file: "level.smwe", layers: "maker", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			h := hmac.New(sha1.New, []byte("a public key"))
			h.Write([]byte(s))
			return fmt.Sprintf("%s%x", s, h.Sum(nil))
		}},
	"a secret from the header": {file: "mira.acc", layers: "account", path: "gold", plain: asJSON,
		pack: func(_ *testing.T, s string) string {
			rest := fmt.Sprintf("%s%x", s, md5.Sum([]byte(s+"pepper-mira")))
			return "ACC1\r\n" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(rest)))) + "\x04mira" + rest
		}},
}

// asMessagePack is a map of 125 to 129 bytes, of which some can be read alone.
func asMessagePack(gold int) string {
	items := "\x96"
	for i := range 6 {
		items += "\x82\xa2id" + string(rune(i)) + "\xa4name\xa5item" + string(rune('0'+i))
	}
	b := binary.BigEndian.AppendUint32([]byte("\x83\xa4name\xa4Mira\xa4gold\xce"), uint32(gold))
	return string(b) + "\xa3inv" + items
}

// TestGames opens and edits saves that are packed as games pack them: those with a built-in recipe, and those for which
// a user writes one. All else stays, and sizes and checksums follow.
func TestGames(t *testing.T) {
	for name, g := range games {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), g.file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if g.layers != "" {
				recipe, err := os.ReadFile("../../testdata/recipes/" + g.layers + ".layers")
				if err == nil {
					err = os.WriteFile(filepath.Join(filepath.Dir(file), g.layers+".layers"), recipe, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(file, []byte(g.pack(t, g.plain(1200))), 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := savefile.Open(file, savefile.NoBackup())
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var gold float64
			v, err := f.Get(g.path)
			if text := ""; err == nil && v.Decode(&text) == nil { // of an INI file
				gold, err = strconv.ParseFloat(text, 64)
			} else if err == nil {
				err = v.Decode(&gold)
			}
			if err != nil || gold != 1200 {
				t.Fatalf("%s of %s: %v, %v", g.path, f.Dialect(), gold, err)
			}
			if err := f.Set(g.path, 98765); err != nil {
				t.Fatal(err)
			}
			if err := f.Save(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			is, want := string(got), g.pack(t, g.plain(98765))
			if g.unpack != nil {
				is, want = g.unpack(t, is), g.unpack(t, want)
			}
			if is != want {
				t.Errorf("%q, want %q", is, want)
			}
		})
	}
}

// TestEitherSize: of a number that was the packed and the plain size nothing is written once these differ.
func TestEitherSize(t *testing.T) {
	const packed = "ZJ01%\x00\x00\x00%\x00\x00\x00\xf3 \xc9/x\x9c\xabVJ\xcf\xcfIQ\xb2R040\xd0QP\xcaK\xccM\x05r\x94|3\x8b\x12aX\xa9\x16\x00\xc9J\x0b8"
	for _, c := range []struct {
		at       string
		v        any
		isWanted bool
	}{{"gold", 99, true}, {"name", "Bartholomew", false}} {
		file := filepath.Join(t.TempDir(), "slot.sav")
		if err := os.WriteFile(file, []byte(packed), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := savefile.Open(file, savefile.NoBackup())
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err = f.Set(c.at, c.v); err == nil {
			err = f.Save()
		}
		if is := err == nil; is != c.isWanted || !is && !strings.Contains(err.Error(), "was the packed size, too") {
			t.Errorf("%s = %v: %v", c.at, c.v, err)
		}
	}
}
