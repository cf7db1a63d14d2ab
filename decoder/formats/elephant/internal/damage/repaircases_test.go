package damage_test

import "varview/decoder/formats/elephant/internal/blocktest"

// repairCases has one case for each problem and repair. Sections are those of the format's description.
var repairCases = []repairCase{
	// header and version (section 1)
	{"good", blocktest.Head151 + "0a 01" + blocktest.Foot, "", "", ""},
	{"header damaged", "70454c45 01050100 0a 01" + blocktest.Foot, "wrong-header@0+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"header the wrong way round", "454c4550 01050100 0a 01" + blocktest.Foot, "wrong-header@0+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"header of the old versions", "41544d43 01050100 0a 01" + blocktest.Foot, "wrong-header@0+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"old header damaged", "41544d44 00010100 0a 01", "wrong-header@0+4 engine-cannot-read@4+4", blocktest.Head110 + "0a 01", ""},
	{"old header the wrong way round", "434d5441 00010100 0a 01", "wrong-header@0+4 engine-cannot-read@4+4", blocktest.Head110 + "0a 01", ""},
	{"version with one byte changed", "50454c45 00050161 0a 01" + blocktest.Foot, "wrong-version@4+4", "50454c45 00050100 0a 01" + blocktest.Foot, ""},
	{"version of no release", "50454c45 00060100 0a 01" + blocktest.Foot, "wrong-version@4+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"version the wrong way round", "50454c45 00010501 0a 01" + blocktest.Foot, "wrong-version@4+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"version zero", "50454c45 00000000 0a 01" + blocktest.Foot, "wrong-version@4+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"later version in the old frame", "41544d43 00020100 0a 01", "wrong-version@4+4", blocktest.Head110 + "0a 01", ""},
	{"old version", blocktest.Head100 + "0a 01", "engine-cannot-read@4+4", "", ""},
	{"old tags", blocktest.Head120 + "10 0000" + blocktest.Foot, "engine-cannot-read@4+4", "", ""},
	{"header cut", "50454c45 0105", "truncated@0+6 truncated@6+0", "", ""},

	// footer (sections 1 and 9)
	{"no footer", blocktest.Head151 + "0a 01", "missing-footer@10+0", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"half a footer", blocktest.Head151 + "0a 01 544e", "missing-footer@10+2", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"footer damaged", blocktest.Head151 + "0a 01 544e4149", "wrong-footer@10+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"footer the wrong way round", blocktest.Head151 + "0a 01 48414e54", "wrong-footer@10+4", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"footer damaged, then bytes", blocktest.Head151 + "0a 01 544e4149 0102", "wrong-footer@10+4 trailing-bytes@10+6", blocktest.Head151 + "0a 01" + blocktest.Foot + " 0102", ""},
	{"bytes between value and footer", blocktest.Head151 + "0a 01 0203040506" + blocktest.Foot, "wrong-footer@10+4 trailing-bytes@10+5", blocktest.Head151 + "0a 01" + blocktest.Foot + " 0203040506" + blocktest.Foot, ""},
	{"bytes behind the footer", blocktest.Head151 + "0a 01" + blocktest.Foot + " 010203", "trailing-bytes@14+3", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"bytes behind the value where no footer is", blocktest.Head110 + "0a 01 0203", "engine-cannot-read@4+4 trailing-bytes@10+2", "", ""},

	// tags (section 2)
	{"tag of an old struct", blocktest.Head151 + "10 0000" + blocktest.Foot, "foreign-tag@8+1", blocktest.Head151 + "ce 0000" + blocktest.Foot, ""},
	{"tag of an old any", blocktest.Head151 + "0e 0a 01" + blocktest.Foot, "foreign-tag@8+1", blocktest.Head151 + "cc 0a 01" + blocktest.Foot, ""},
	{"tag of a later array", blocktest.Head130 + "cd 0000" + blocktest.Foot, "foreign-tag@8+1", blocktest.Head130 + "0f 0000" + blocktest.Foot, ""},
	{"element tag of a later struct", blocktest.Head110 + "0f 0100 ce 0000", "engine-cannot-read@4+4 foreign-tag@11+1", "", ""},
	{"tag of none", blocktest.Head151 + "63" + blocktest.Foot, "unknown-type@8+1", "", ""},
	{"bool of 2", blocktest.Head151 + "0a 02" + blocktest.Foot, "bool-value@9+1", blocktest.Head151 + "0a 01" + blocktest.Foot, ""},
	{"bools of 2 and 255", blocktest.Head151 + "cd 0400 0a 00 02 01 ff" + blocktest.Foot, "bool-value@13+1", blocktest.Head151 + "cd 0400 0a 00 01 01 01" + blocktest.Foot, ""},

	// texts (section 1)
	{"no UTF-8", blocktest.Head151 + "0b 61ffc32800" + blocktest.Foot, "invalid-utf8@10+1", blocktest.Head151 + "0b 61efbfbdefbfbd2800" + blocktest.Foot, ""},
	{"name of no UTF-8", blocktest.Head151 + "ce 0100 80 00 0a 01" + blocktest.Foot, "invalid-utf8@11+1", blocktest.Head151 + "ce 0100 efbfbd 00 0a 01" + blocktest.Foot, ""},
	{"byte order mark", blocktest.Head151 + "0b efbbbf '" + blocktest.Foot, "byte-order-mark@9+3", "", ""},
	{"empty name", blocktest.Head151 + "ce 0100 ' 0a 01" + blocktest.Foot, "empty-name@11+1", "", ""},

	// members (section 4)
	{"name twice", blocktest.Head151 + "ce 0200 'a 0a 01 'a 0a 00" + blocktest.Foot, "repeated-key@15+2", blocktest.Head151 + "ce 0100 'a 0a 00" + blocktest.Foot, "the first of two members a"},
	{"name twice, and a reference to the first", blocktest.Head151 + "ce 0300 'a cd 0000 'a 0a 00 'b cd ffff 0100" + blocktest.Foot, "repeated-key@16+2",
		blocktest.Head151 + "ce 0200 'a 0a 00 'b cd 0000" + blocktest.Foot, "the first of two members a"},
	{"name twice, and numbers behind the first", blocktest.Head151 + "ce 0300 'a cd 0000 'a ce 0000 'b ce ffff 0200" + blocktest.Foot, "repeated-key@16+2",
		blocktest.Head151 + "ce 0200 'a ce 0000 'b ce ffff 0100" + blocktest.Foot, "the first of two members a"},

	// references (section 4)
	{"reference to nothing", blocktest.Head151 + "cd 0100 cc ce ffff 0500" + blocktest.Foot, "dangling-reference@15+2", blocktest.Head151 + "cd 0100 cc cf" + blocktest.Foot, ""},
	{"reference to what follows", blocktest.Head151 + "cd 0200 cc ce ffff 0200 ce 0000" + blocktest.Foot, "dangling-reference@15+2", blocktest.Head151 + "cd 0200 cc cf ce 0000" + blocktest.Foot, ""},
	{"reference in an array of a type", blocktest.Head151 + "cd 0200 ce 0000 ffff 0900" + blocktest.Foot, "dangling-reference@16+2", blocktest.Head151 + "cd 0200 cc ce 0000 cf" + blocktest.Foot, ""},
	{"reference with the tag of an array", blocktest.Head151 + "ce 0100 'me cd ffff 0000" + blocktest.Foot, "reference-kind@14+1", blocktest.Head151 + "ce 0100 'me ce ffff 0000" + blocktest.Foot, ""},
	{"reference of another kind in an array of a type", blocktest.Head151 + "cd 0200 ce 0000 ffff 0000" + blocktest.Foot, "reference-kind@14+4", blocktest.Head151 + "cd 0200 cc ce 0000 cd ffff 0000" + blocktest.Foot, ""},
	{"reference of a schema", blocktest.Head151 + "ce feff 0000 'Link 01 0000 ffff 0700" + blocktest.Foot, "dangling-reference@23+2", blocktest.Head151 + "ce feff 0000 'Link 01 0100 0000" + blocktest.Foot, ""},
	{"reference of a schema that cannot leave it out", blocktest.Head140 + "ce feff 0000 'Link 01 ffff 0700" + blocktest.Foot, "dangling-reference@21+2", "", ""},

	// constructors (section 5)
	{"member skipped twice, out of order", blocktest.Head151 + "ce feff 0000 'Critter 01 0200 0100 0200 0300 0000 0a01" + blocktest.Foot, "wrong-skip@26+2",
		blocktest.Head151 + "ce feff 0000 'Critter 01 0200 0100 0300 0000 0a01" + blocktest.Foot, ""},
	{"members skipped out of order", blocktest.Head151 + "ce feff 0000 'Critter 01 0300 0100 0200 0000 0a01" + blocktest.Foot, "", "", ""},
	{"member skipped behind the last", blocktest.Head151 + "ce feff 0000 'Critter 01 0100 0200 0300 0500 0000 0a01" + blocktest.Foot, "wrong-skip@28+2",
		blocktest.Head151 + "ce feff 0000 'Critter 01 0100 0200 0300 0000 0a01" + blocktest.Foot, ""},
	{"member skipped far behind the last", blocktest.Head151 + "ce feff 0000 'Critter 01 3200 0000 03 'x 0000 0a01" + blocktest.Foot, "wrong-skip@22+2",
		blocktest.Head151 + "ce feff 0000 'Critter 01 0000 03 'x 0000 0a01" + blocktest.Foot, ""},
	{"index of a new constructor", blocktest.Head151 + "ce feff 0700 'Q 80 0000" + blocktest.Foot, "constructor-index@11+2", "", ""},
	{"damaged index of a new constructor", blocktest.Head151 + "cd 0300 cc ce feff 0000 'Q 80 0000 ce feff 0150 'R 80 0000 ce feff 0150 80 0000" + blocktest.Foot, "constructor-index@25+2",
		blocktest.Head151 + "cd 0300 cc ce feff 0000 'Q 80 0000 ce feff 0100 'R 80 0000 ce feff 0100 80 0000" + blocktest.Foot, ""},
	{"name of a constructor", blocktest.Head151 + "ce feff 0000 '1Q 80 0000" + blocktest.Foot, "constructor-name@13+3", "", ""},
	{"version 0 that is not verbose", blocktest.Head151 + "ce feff 0000 'Critter 00 0000 03 'x 0000 0a01" + blocktest.Foot, "missing-schema@21+1", "", ""},
	{"verbose against the schema", blocktest.Head151 + "ce feff 0000 'Link 81 0000" + blocktest.Foot, "unexpected-verbose@18+1", "", ""},
	{"1.0.0 constructor without its name", blocktest.Head100 + "20 01 0300 6100 01", "engine-cannot-read@4+4 missing-schema@12+1 constructor-name@9+3", "", ""},

	// what is cut off (section 9)
	{"no value", blocktest.Head151, "truncated@8+0", blocktest.Head151 + "cf" + blocktest.Foot, ""},
	{"number cut", blocktest.Head151 + "09 0000", "truncated@9+2", blocktest.Head151 + "cf" + blocktest.Foot, ""},
	{"text cut", blocktest.Head151 + "0b 736f6d65", "truncated@9+4", blocktest.Head151 + "0b 'some" + blocktest.Foot, ""},
	{"array of numbers cut", blocktest.Head151 + "cd 0200 09 000000000000f83f 00000000", "length-overrun@9+2", blocktest.Head151 + "cd 0100 09 000000000000f83f" + blocktest.Foot, ""},
	{"array cut in its first number", blocktest.Head151 + "cd 0200 09 00000000", "length-overrun@9+2", blocktest.Head151 + "cd 0000" + blocktest.Foot, ""},
	{"array without element tag", blocktest.Head151 + "cd 0200", "truncated@11+0", blocktest.Head151 + "cd 0000" + blocktest.Foot, ""},
	{"array of too many, all there", blocktest.Head151 + "cd c800 09 000000000000f83f 0000000000000440" + blocktest.Foot, "length-overrun@9+2", blocktest.Head151 + "cd 0200 09 000000000000f83f 0000000000000440" + blocktest.Foot, ""},
	{"struct of too many, all there", blocktest.Head151 + "ce 3c00 'a 0a 01" + blocktest.Foot, "length-overrun@9+2", blocktest.Head151 + "ce 0100 'a 0a 01" + blocktest.Foot, ""},
	{"struct cut between two members", blocktest.Head151 + "ce 0200 'hp 0a 01", "truncated@9+2", blocktest.Head151 + "ce 0100 'hp 0a 01" + blocktest.Foot, ""},
	{"struct cut behind a name", blocktest.Head151 + "ce 0200 'hp 0a 01 'mp", "missing-value-of-key@9+2", blocktest.Head151 + "ce 0100 'hp 0a 01" + blocktest.Foot, `the name "mp", which has no value`},
	{"struct cut in a name", blocktest.Head151 + "ce 0200 'hp 0a 01 6d", "truncated@16+1", blocktest.Head151 + "ce 0100 'hp 0a 01" + blocktest.Foot, `a name, of which "m" is there`},
	{"struct cut in a text", blocktest.Head151 + "ce 0200 'hp 0a 01 'who 0b 416e", "truncated@21+2", blocktest.Head151 + "ce 0100 'hp 0a 01" + blocktest.Foot, `the member $.who, of which "An" is there`},
	{"cut three levels deep", blocktest.Head151 + "ce 0200 'list cd 0300 cc 0a 01 ce 0400 'a 0a 00 'b 09 1234", "truncated@32+2",
		blocktest.Head151 + "ce 0100 'list cd 0200 cc 0a 01 ce 0100 'a 0a 00" + blocktest.Foot, "the member $.list[1].b"},
	{"cut in an array of arrays", blocktest.Head151 + "cd 0300 cd 0100 0a 01 0500 0a 01 00", "length-overrun@16+2", blocktest.Head151 + "cd 0200 cd 0100 0a 01 0200 0a 01 00" + blocktest.Foot, ""},
	{"struct of too many around what cannot be read", blocktest.Head151 + "ce 3c00 'a 0a 01 'b 63 00 00" + blocktest.Foot, "length-overrun@9+2 unknown-type@17+1", blocktest.Head151 + "ce 0100 'a 0a 01" + blocktest.Foot,
		"$.b and everything after it (3 bytes), which cannot be read: tag 99 is not a datatype"},
	{"reference cut", blocktest.Head151 + "cd 0200 cc 0a 01 cd ffff 00", "truncated@17+1", blocktest.Head151 + "cd 0100 cc 0a 01" + blocktest.Foot, ""},
	{"old struct cut", blocktest.Head110 + "10 0200 'hp 0a 01", "engine-cannot-read@4+4 truncated@9+2", "", ""},

	// members of a schema that are cut off (sections 5 and 7)
	{"schema cut", blocktest.Head151 + "ce feff 0000 'Critter 01 0000 03 'x 01", "truncated@27+1 truncated@28+0", blocktest.Head151 + "ce feff 0000 'Critter 01 0300 0400 0000 03 'x" + blocktest.Foot, ""},
	{"schema with skipped members cut", blocktest.Head151 + "ce feff 0000 'Critter 01 0300 0000 03 'x", "truncated@29+0", blocktest.Head151 + "ce feff 0000 'Critter 01 0300 0400 0000 03 'x" + blocktest.Foot, ""},
	{"schema cut that cannot leave members out", blocktest.Head140 + "ce feff 0000 'Critter 01 03 'x 01", "truncated@25+1 truncated@26+0",
		blocktest.Head140 + "ce feff 0000 'Critter 80 0200 'hp 01 03 'name 0b 'x" + blocktest.Foot, ""},
	{"schema of an old version cut", blocktest.Head120 + "10 feff 0000 'Critter 01 03 'x 0100 0a 01", "engine-cannot-read@4+4 truncated@29+0", "", ""},
	{"constructor cut", blocktest.Head151 + "cd 0200 ce 0000 feff 0000 'Crit", "truncated@23+0", blocktest.Head151 + "cd 0100 ce 0000" + blocktest.Foot, "$[1]"},
}
