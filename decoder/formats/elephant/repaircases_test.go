package elephant_test

// repairCases has one case for each problem and repair. Sections are those of the format's description.
var repairCases = []repairCase{
	// header and version (section 1)
	{"good", Head151 + "0a 01" + Foot, "", "", ""},
	{"header damaged", "70454c45 01050100 0a 01" + Foot, "wrong-header@0+4", Head151 + "0a 01" + Foot, ""},
	{"header the wrong way round", "454c4550 01050100 0a 01" + Foot, "wrong-header@0+4", Head151 + "0a 01" + Foot, ""},
	{"header of the old versions", "41544d43 01050100 0a 01" + Foot, "wrong-header@0+4", Head151 + "0a 01" + Foot, ""},
	{"old header damaged", "41544d44 00010100 0a 01", "wrong-header@0+4 engine-cannot-read@4+4", Head110 + "0a 01", ""},
	{"old header the wrong way round", "434d5441 00010100 0a 01", "wrong-header@0+4 engine-cannot-read@4+4", Head110 + "0a 01", ""},
	{"version with one byte changed", "50454c45 00050161 0a 01" + Foot, "wrong-version@4+4", "50454c45 00050100 0a 01" + Foot, ""},
	{"version of no release", "50454c45 00060100 0a 01" + Foot, "wrong-version@4+4", Head151 + "0a 01" + Foot, ""},
	{"version the wrong way round", "50454c45 00010501 0a 01" + Foot, "wrong-version@4+4", Head151 + "0a 01" + Foot, ""},
	{"version zero", "50454c45 00000000 0a 01" + Foot, "wrong-version@4+4", Head151 + "0a 01" + Foot, ""},
	{"later version in the old frame", "41544d43 00020100 0a 01", "wrong-version@4+4", Head110 + "0a 01", ""},
	{"old version", Head100 + "0a 01", "engine-cannot-read@4+4", "", ""},
	{"old tags", Head120 + "10 0000" + Foot, "engine-cannot-read@4+4", "", ""},
	{"header cut", "50454c45 0105", "truncated@0+6 truncated@6+0", "", ""},

	// footer (sections 1 and 9)
	{"no footer", Head151 + "0a 01", "missing-footer@10+0", Head151 + "0a 01" + Foot, ""},
	{"half a footer", Head151 + "0a 01 544e", "missing-footer@10+2", Head151 + "0a 01" + Foot, ""},
	{"footer damaged", Head151 + "0a 01 544e4149", "wrong-footer@10+4", Head151 + "0a 01" + Foot, ""},
	{"footer the wrong way round", Head151 + "0a 01 48414e54", "wrong-footer@10+4", Head151 + "0a 01" + Foot, ""},
	{"footer damaged, then bytes", Head151 + "0a 01 544e4149 0102", "wrong-footer@10+4 trailing-bytes@10+6", Head151 + "0a 01" + Foot + " 0102", ""},
	{"bytes between value and footer", Head151 + "0a 01 0203040506" + Foot, "wrong-footer@10+4 trailing-bytes@10+5", Head151 + "0a 01" + Foot + " 0203040506" + Foot, ""},
	{"bytes behind the footer", Head151 + "0a 01" + Foot + " 010203", "trailing-bytes@14+3", Head151 + "0a 01" + Foot, ""},
	{"bytes behind the value where no footer is", Head110 + "0a 01 0203", "engine-cannot-read@4+4 trailing-bytes@10+2", "", ""},

	// tags (section 2)
	{"tag of an old struct", Head151 + "10 0000" + Foot, "foreign-tag@8+1", Head151 + "ce 0000" + Foot, ""},
	{"tag of an old any", Head151 + "0e 0a 01" + Foot, "foreign-tag@8+1", Head151 + "cc 0a 01" + Foot, ""},
	{"tag of a later array", Head130 + "cd 0000" + Foot, "foreign-tag@8+1", Head130 + "0f 0000" + Foot, ""},
	{"element tag of a later struct", Head110 + "0f 0100 ce 0000", "engine-cannot-read@4+4 foreign-tag@11+1", "", ""},
	{"tag of none", Head151 + "63" + Foot, "unknown-type@8+1", "", ""},
	{"bool of 2", Head151 + "0a 02" + Foot, "bool-value@9+1", Head151 + "0a 01" + Foot, ""},
	{"bools of 2 and 255", Head151 + "cd 0400 0a 00 02 01 ff" + Foot, "bool-value@13+1", Head151 + "cd 0400 0a 00 01 01 01" + Foot, ""},

	// texts (section 1)
	{"no UTF-8", Head151 + "0b 61ffc32800" + Foot, "invalid-utf8@10+1", Head151 + "0b 61efbfbdefbfbd2800" + Foot, ""},
	{"name of no UTF-8", Head151 + "ce 0100 80 00 0a 01" + Foot, "invalid-utf8@11+1", Head151 + "ce 0100 efbfbd 00 0a 01" + Foot, ""},
	{"byte order mark", Head151 + "0b efbbbf '" + Foot, "byte-order-mark@9+3", "", ""},
	{"empty name", Head151 + "ce 0100 ' 0a 01" + Foot, "empty-name@11+1", "", ""},

	// members (section 4)
	{"name twice", Head151 + "ce 0200 'a 0a 01 'a 0a 00" + Foot, "repeated-key@15+2", Head151 + "ce 0100 'a 0a 00" + Foot, "the first of two members a"},
	{"name twice, and a reference to the first", Head151 + "ce 0300 'a cd 0000 'a 0a 00 'b cd ffff 0100" + Foot, "repeated-key@16+2",
		Head151 + "ce 0200 'a 0a 00 'b cd 0000" + Foot, "the first of two members a"},
	{"name twice, and numbers behind the first", Head151 + "ce 0300 'a cd 0000 'a ce 0000 'b ce ffff 0200" + Foot, "repeated-key@16+2",
		Head151 + "ce 0200 'a ce 0000 'b ce ffff 0100" + Foot, "the first of two members a"},

	// references (section 4)
	{"reference to nothing", Head151 + "cd 0100 cc ce ffff 0500" + Foot, "dangling-reference@15+2", Head151 + "cd 0100 cc cf" + Foot, ""},
	{"reference to what follows", Head151 + "cd 0200 cc ce ffff 0200 ce 0000" + Foot, "dangling-reference@15+2", Head151 + "cd 0200 cc cf ce 0000" + Foot, ""},
	{"reference in an array of a type", Head151 + "cd 0200 ce 0000 ffff 0900" + Foot, "dangling-reference@16+2", Head151 + "cd 0200 cc ce 0000 cf" + Foot, ""},
	{"reference with the tag of an array", Head151 + "ce 0100 'me cd ffff 0000" + Foot, "reference-kind@14+1", Head151 + "ce 0100 'me ce ffff 0000" + Foot, ""},
	{"reference of another kind in an array of a type", Head151 + "cd 0200 ce 0000 ffff 0000" + Foot, "reference-kind@14+4", Head151 + "cd 0200 cc ce 0000 cd ffff 0000" + Foot, ""},
	{"reference of a schema", Head151 + "ce feff 0000 'Link 01 0000 ffff 0700" + Foot, "dangling-reference@23+2", Head151 + "ce feff 0000 'Link 01 0100 0000" + Foot, ""},
	{"reference of a schema that cannot leave it out", Head140 + "ce feff 0000 'Link 01 ffff 0700" + Foot, "dangling-reference@21+2", "", ""},

	// constructors (section 5)
	{"member skipped twice, out of order", Head151 + "ce feff 0000 'Critter 01 0200 0100 0200 0300 0000 0a01" + Foot, "wrong-skip@26+2",
		Head151 + "ce feff 0000 'Critter 01 0200 0100 0300 0000 0a01" + Foot, ""},
	{"members skipped out of order", Head151 + "ce feff 0000 'Critter 01 0300 0100 0200 0000 0a01" + Foot, "", "", ""},
	{"member skipped behind the last", Head151 + "ce feff 0000 'Critter 01 0100 0200 0300 0500 0000 0a01" + Foot, "wrong-skip@28+2",
		Head151 + "ce feff 0000 'Critter 01 0100 0200 0300 0000 0a01" + Foot, ""},
	{"member skipped far behind the last", Head151 + "ce feff 0000 'Critter 01 3200 0000 03 'x 0000 0a01" + Foot, "wrong-skip@22+2",
		Head151 + "ce feff 0000 'Critter 01 0000 03 'x 0000 0a01" + Foot, ""},
	{"index of a new constructor", Head151 + "ce feff 0700 'Q 80 0000" + Foot, "constructor-index@11+2", "", ""},
	{"damaged index of a new constructor", Head151 + "cd 0300 cc ce feff 0000 'Q 80 0000 ce feff 0150 'R 80 0000 ce feff 0150 80 0000" + Foot, "constructor-index@25+2",
		Head151 + "cd 0300 cc ce feff 0000 'Q 80 0000 ce feff 0100 'R 80 0000 ce feff 0100 80 0000" + Foot, ""},
	{"name of a constructor", Head151 + "ce feff 0000 '1Q 80 0000" + Foot, "constructor-name@13+3", "", ""},
	{"version 0 that is not verbose", Head151 + "ce feff 0000 'Critter 00 0000 03 'x 0000 0a01" + Foot, "missing-schema@21+1", "", ""},
	{"verbose against the schema", Head151 + "ce feff 0000 'Link 81 0000" + Foot, "unexpected-verbose@18+1", "", ""},
	{"1.0.0 constructor without its name", Head100 + "20 01 0300 6100 01", "engine-cannot-read@4+4 missing-schema@12+1 constructor-name@9+3", "", ""},

	// what is cut off (section 9)
	{"no value", Head151, "truncated@8+0", Head151 + "cf" + Foot, ""},
	{"number cut", Head151 + "09 0000", "truncated@9+2", Head151 + "cf" + Foot, ""},
	{"text cut", Head151 + "0b 736f6d65", "truncated@9+4", Head151 + "0b 'some" + Foot, ""},
	{"array of numbers cut", Head151 + "cd 0200 09 000000000000f83f 00000000", "length-overrun@9+2", Head151 + "cd 0100 09 000000000000f83f" + Foot, ""},
	{"array cut in its first number", Head151 + "cd 0200 09 00000000", "length-overrun@9+2", Head151 + "cd 0000" + Foot, ""},
	{"array without element tag", Head151 + "cd 0200", "truncated@11+0", Head151 + "cd 0000" + Foot, ""},
	{"array of too many, all there", Head151 + "cd c800 09 000000000000f83f 0000000000000440" + Foot, "length-overrun@9+2", Head151 + "cd 0200 09 000000000000f83f 0000000000000440" + Foot, ""},
	{"struct of too many, all there", Head151 + "ce 3c00 'a 0a 01" + Foot, "length-overrun@9+2", Head151 + "ce 0100 'a 0a 01" + Foot, ""},
	{"struct cut between two members", Head151 + "ce 0200 'hp 0a 01", "truncated@9+2", Head151 + "ce 0100 'hp 0a 01" + Foot, ""},
	{"struct cut behind a name", Head151 + "ce 0200 'hp 0a 01 'mp", "missing-value-of-key@9+2", Head151 + "ce 0100 'hp 0a 01" + Foot, `the name "mp", which has no value`},
	{"struct cut in a name", Head151 + "ce 0200 'hp 0a 01 6d", "truncated@16+1", Head151 + "ce 0100 'hp 0a 01" + Foot, `a name, of which "m" is there`},
	{"struct cut in a text", Head151 + "ce 0200 'hp 0a 01 'who 0b 416e", "truncated@21+2", Head151 + "ce 0100 'hp 0a 01" + Foot, `the member $.who, of which "An" is there`},
	{"cut three levels deep", Head151 + "ce 0200 'list cd 0300 cc 0a 01 ce 0400 'a 0a 00 'b 09 1234", "truncated@32+2",
		Head151 + "ce 0100 'list cd 0200 cc 0a 01 ce 0100 'a 0a 00" + Foot, "the member $.list[1].b"},
	{"cut in an array of arrays", Head151 + "cd 0300 cd 0100 0a 01 0500 0a 01 00", "length-overrun@16+2", Head151 + "cd 0200 cd 0100 0a 01 0200 0a 01 00" + Foot, ""},
	{"struct of too many around what cannot be read", Head151 + "ce 3c00 'a 0a 01 'b 63 00 00" + Foot, "length-overrun@9+2 unknown-type@17+1", Head151 + "ce 0100 'a 0a 01" + Foot,
		"$.b and everything after it (3 bytes), which cannot be read: tag 99 is not a datatype"},
	{"reference cut", Head151 + "cd 0200 cc 0a 01 cd ffff 00", "truncated@17+1", Head151 + "cd 0100 cc 0a 01" + Foot, ""},
	{"old struct cut", Head110 + "10 0200 'hp 0a 01", "engine-cannot-read@4+4 truncated@9+2", "", ""},

	// members of a schema that are cut off (sections 5 and 7)
	{"schema cut", Head151 + "ce feff 0000 'Critter 01 0000 03 'x 01", "truncated@27+1 truncated@28+0", Head151 + "ce feff 0000 'Critter 01 0300 0400 0000 03 'x" + Foot, ""},
	{"schema with skipped members cut", Head151 + "ce feff 0000 'Critter 01 0300 0000 03 'x", "truncated@29+0", Head151 + "ce feff 0000 'Critter 01 0300 0400 0000 03 'x" + Foot, ""},
	{"schema cut that cannot leave members out", Head140 + "ce feff 0000 'Critter 01 03 'x 01", "truncated@25+1 truncated@26+0",
		Head140 + "ce feff 0000 'Critter 80 0200 'hp 01 03 'name 0b 'x" + Foot, ""},
	{"schema of an old version cut", Head120 + "10 feff 0000 'Critter 01 03 'x 0100 0a 01", "engine-cannot-read@4+4 truncated@29+0", "", ""},
	{"constructor cut", Head151 + "cd 0200 ce 0000 feff 0000 'Crit", "truncated@23+0", Head151 + "cd 0100 ce 0000" + Foot, "$[1]"},
}
