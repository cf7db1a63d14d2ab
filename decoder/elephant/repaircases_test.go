package elephant_test

// repairCases are one for each problem and repair. The specification's section is
// that of the format's description.
var repairCases = []repairCase{
	// header and version (section 1)
	{"good", head151 + "0a 01" + foot, "", "", ""},
	{"header damaged", "70454c45 01050100 0a 01" + foot, "wrong-header@0+4", head151 + "0a 01" + foot, ""},
	{"header the wrong way round", "454c4550 01050100 0a 01" + foot, "wrong-header@0+4", head151 + "0a 01" + foot, ""},
	{"header of the old versions", "41544d43 01050100 0a 01" + foot, "wrong-header@0+4", head151 + "0a 01" + foot, ""},
	{"old header damaged", "41544d44 00010100 0a 01", "wrong-header@0+4 engine-cannot-read@4+4", head110 + "0a 01", ""},
	{"old header the wrong way round", "434d5441 00010100 0a 01", "wrong-header@0+4 engine-cannot-read@4+4", head110 + "0a 01", ""},
	{"version of no release", "50454c45 00060100 0a 01" + foot, "wrong-version@4+4", head151 + "0a 01" + foot, ""},
	{"version the wrong way round", "50454c45 00010501 0a 01" + foot, "wrong-version@4+4", head151 + "0a 01" + foot, ""},
	{"version zero", "50454c45 00000000 0a 01" + foot, "wrong-version@4+4", head151 + "0a 01" + foot, ""},
	{"later version in the old frame", "41544d43 00020100 0a 01", "wrong-version@4+4", head110 + "0a 01", ""},
	{"old version", head100 + "0a 01", "engine-cannot-read@4+4", "", ""},
	{"old tags", head120 + "10 0000" + foot, "engine-cannot-read@4+4", "", ""},
	{"header cut", "50454c45 0105", "truncated@0+6 truncated@6+0", "", ""},

	// footer (sections 1 and 9)
	{"no footer", head151 + "0a 01", "missing-footer@10+0", head151 + "0a 01" + foot, ""},
	{"half a footer", head151 + "0a 01 544e", "missing-footer@10+2", head151 + "0a 01" + foot, ""},
	{"footer damaged", head151 + "0a 01 544e4149", "wrong-footer@10+4", head151 + "0a 01" + foot, ""},
	{"footer the wrong way round", head151 + "0a 01 48414e54", "wrong-footer@10+4", head151 + "0a 01" + foot, ""},
	{"footer damaged, then bytes", head151 + "0a 01 544e4149 0102", "wrong-footer@10+4 trailing-bytes@10+6", head151 + "0a 01" + foot + " 0102", ""},
	{"bytes between value and footer", head151 + "0a 01 0203040506" + foot, "wrong-footer@10+4 trailing-bytes@10+5", head151 + "0a 01" + foot + " 0203040506" + foot, ""},
	{"bytes behind the footer", head151 + "0a 01" + foot + " 010203", "trailing-bytes@14+3", head151 + "0a 01" + foot, ""},
	{"bytes behind the value where no footer is", head110 + "0a 01 0203", "engine-cannot-read@4+4 trailing-bytes@10+2", "", ""},

	// tags (section 2)
	{"tag of an old struct", head151 + "10 0000" + foot, "foreign-tag@8+1", head151 + "ce 0000" + foot, ""},
	{"tag of an old any", head151 + "0e 0a 01" + foot, "foreign-tag@8+1", head151 + "cc 0a 01" + foot, ""},
	{"tag of a later array", head130 + "cd 0000" + foot, "foreign-tag@8+1", head130 + "0f 0000" + foot, ""},
	{"element tag of a later struct", head110 + "0f 0100 ce 0000", "engine-cannot-read@4+4 foreign-tag@11+1", "", ""},
	{"tag of none", head151 + "63" + foot, "unknown-type@8+1", "", ""},
	{"bool of 2", head151 + "0a 02" + foot, "bool-value@9+1", head151 + "0a 01" + foot, ""},
	{"bools of 2 and 255", head151 + "cd 0400 0a 00 02 01 ff" + foot, "bool-value@13+1", head151 + "cd 0400 0a 00 01 01 01" + foot, ""},

	// texts (section 1)
	{"no UTF-8", head151 + "0b 61ffc32800" + foot, "invalid-utf8@10+1", head151 + "0b 61efbfbdefbfbd2800" + foot, ""},
	{"name of no UTF-8", head151 + "ce 0100 80 00 0a 01" + foot, "invalid-utf8@11+1", head151 + "ce 0100 efbfbd 00 0a 01" + foot, ""},
	{"byte order mark", head151 + "0b efbbbf '" + foot, "byte-order-mark@9+3", "", ""},
	{"empty name", head151 + "ce 0100 ' 0a 01" + foot, "empty-name@11+1", "", ""},

	// members (section 4)
	{"name twice", head151 + "ce 0200 'a 0a 01 'a 0a 00" + foot, "repeated-key@15+2", head151 + "ce 0100 'a 0a 00" + foot, "the first of two members a"},
	{"name twice, and a reference to the first", head151 + "ce 0300 'a cd 0000 'a 0a 00 'b cd ffff 0100" + foot, "repeated-key@16+2",
		head151 + "ce 0200 'a 0a 00 'b cd 0000" + foot, "the first of two members a"},
	{"name twice, and numbers behind the first", head151 + "ce 0300 'a cd 0000 'a ce 0000 'b ce ffff 0200" + foot, "repeated-key@16+2",
		head151 + "ce 0200 'a ce 0000 'b ce ffff 0100" + foot, "the first of two members a"},

	// references (section 4)
	{"reference to nothing", head151 + "cd 0100 cc ce ffff 0500" + foot, "dangling-reference@15+2", head151 + "cd 0100 cc cf" + foot, ""},
	{"reference to what follows", head151 + "cd 0200 cc ce ffff 0200 ce 0000" + foot, "dangling-reference@15+2", head151 + "cd 0200 cc cf ce 0000" + foot, ""},
	{"reference in an array of a type", head151 + "cd 0200 ce 0000 ffff 0900" + foot, "dangling-reference@16+2", head151 + "cd 0200 cc ce 0000 cf" + foot, ""},
	{"reference with the tag of an array", head151 + "ce 0100 'me cd ffff 0000" + foot, "reference-kind@14+1", head151 + "ce 0100 'me ce ffff 0000" + foot, ""},
	{"reference of another kind in an array of a type", head151 + "cd 0200 ce 0000 ffff 0000" + foot, "reference-kind@14+4", head151 + "cd 0200 cc ce 0000 cd ffff 0000" + foot, ""},
	{"reference of a schema", head151 + "ce feff 0000 'Link 01 0000 ffff 0700" + foot, "dangling-reference@23+2", head151 + "ce feff 0000 'Link 01 0100 0000" + foot, ""},
	{"reference of a schema that cannot leave it out", head140 + "ce feff 0000 'Link 01 ffff 0700" + foot, "dangling-reference@21+2", "", ""},

	// constructors (section 5)
	{"member skipped twice, out of order", head151 + "ce feff 0000 'Critter 01 0200 0100 0200 0300 0000 0a01" + foot, "wrong-skip@26+2",
		head151 + "ce feff 0000 'Critter 01 0200 0100 0300 0000 0a01" + foot, ""},
	{"members skipped out of order", head151 + "ce feff 0000 'Critter 01 0300 0100 0200 0000 0a01" + foot, "", "", ""},
	{"member skipped behind the last", head151 + "ce feff 0000 'Critter 01 0100 0200 0300 0500 0000 0a01" + foot, "wrong-skip@28+2",
		head151 + "ce feff 0000 'Critter 01 0100 0200 0300 0000 0a01" + foot, ""},
	{"member skipped far behind the last", head151 + "ce feff 0000 'Critter 01 3200 0000 03 'x 0000 0a01" + foot, "wrong-skip@22+2",
		head151 + "ce feff 0000 'Critter 01 0000 03 'x 0000 0a01" + foot, ""},
	{"index of a new constructor", head151 + "ce feff 0700 'Q 80 0000" + foot, "constructor-index@11+2", "", ""},
	{"name of a constructor", head151 + "ce feff 0000 '1Q 80 0000" + foot, "constructor-name@13+3", "", ""},
	{"version 0 that is not verbose", head151 + "ce feff 0000 'Critter 00 0000 03 'x 0000 0a01" + foot, "missing-schema@21+1", "", ""},
	{"verbose against the schema", head151 + "ce feff 0000 'Link 81 0000" + foot, "unexpected-verbose@18+1", "", ""},
	{"1.0.0 constructor without its name", head100 + "20 01 0300 6100 01", "engine-cannot-read@4+4 missing-schema@12+1 constructor-name@9+3", "", ""},

	// what is cut off (section 9)
	{"no value", head151, "truncated@8+0", head151 + "cf" + foot, ""},
	{"number cut", head151 + "09 0000", "truncated@9+2", head151 + "cf" + foot, ""},
	{"text cut", head151 + "0b 736f6d65", "truncated@9+4", head151 + "0b 'some" + foot, ""},
	{"array of numbers cut", head151 + "cd 0200 09 000000000000f83f 00000000", "length-overrun@9+2", head151 + "cd 0100 09 000000000000f83f" + foot, ""},
	{"array cut in its first number", head151 + "cd 0200 09 00000000", "length-overrun@9+2", head151 + "cd 0000" + foot, ""},
	{"array without element tag", head151 + "cd 0200", "truncated@11+0", head151 + "cd 0000" + foot, ""},
	{"array of too many, all there", head151 + "cd c800 09 000000000000f83f 0000000000000440" + foot, "length-overrun@9+2", head151 + "cd 0200 09 000000000000f83f 0000000000000440" + foot, ""},
	{"struct of too many, all there", head151 + "ce 3c00 'a 0a 01" + foot, "length-overrun@9+2", head151 + "ce 0100 'a 0a 01" + foot, ""},
	{"struct cut between two members", head151 + "ce 0200 'hp 0a 01", "truncated@9+2", head151 + "ce 0100 'hp 0a 01" + foot, ""},
	{"struct cut behind a name", head151 + "ce 0200 'hp 0a 01 'mp", "missing-value-of-key@9+2", head151 + "ce 0100 'hp 0a 01" + foot, `the name "mp", which has no value`},
	{"struct cut in a name", head151 + "ce 0200 'hp 0a 01 6d", "truncated@16+1", head151 + "ce 0100 'hp 0a 01" + foot, `a name, of which "m" is there`},
	{"struct cut in a text", head151 + "ce 0200 'hp 0a 01 'who 0b 416e", "truncated@21+2", head151 + "ce 0100 'hp 0a 01" + foot, `the member $.who, of which "An" is there`},
	{"cut three levels deep", head151 + "ce 0200 'list cd 0300 cc 0a 01 ce 0400 'a 0a 00 'b 09 1234", "truncated@32+2",
		head151 + "ce 0100 'list cd 0200 cc 0a 01 ce 0100 'a 0a 00" + foot, "the member $.list[1].b"},
	{"cut in an array of arrays", head151 + "cd 0300 cd 0100 0a 01 0500 0a 01 00", "length-overrun@16+2", head151 + "cd 0200 cd 0100 0a 01 0200 0a 01 00" + foot, ""},
	{"struct of too many around what cannot be read", head151 + "ce 3c00 'a 0a 01 'b 63 00 00" + foot, "length-overrun@9+2 unknown-type@17+1", head151 + "ce 0100 'a 0a 01" + foot,
		"$.b and all behind it, 3 bytes which cannot be read: tag 99 is no datatype"},
	{"reference cut", head151 + "cd 0200 cc 0a 01 cd ffff 00", "truncated@17+1", head151 + "cd 0100 cc 0a 01" + foot, ""},
	{"old struct cut", head110 + "10 0200 'hp 0a 01", "engine-cannot-read@4+4 truncated@9+2", "", ""},

	// members of a schema that are cut off (sections 5 and 7)
	{"schema cut", head151 + "ce feff 0000 'Critter 01 0000 03 'x 01", "truncated@27+1 truncated@28+0", head151 + "ce feff 0000 'Critter 01 0300 0400 0000 03 'x" + foot, ""},
	{"schema with skipped members cut", head151 + "ce feff 0000 'Critter 01 0300 0000 03 'x", "truncated@29+0", head151 + "ce feff 0000 'Critter 01 0300 0400 0000 03 'x" + foot, ""},
	{"schema cut that cannot leave members out", head140 + "ce feff 0000 'Critter 01 03 'x 01", "truncated@25+1 truncated@26+0",
		head140 + "ce feff 0000 'Critter 80 0200 'hp 01 03 'name 0b 'x" + foot, ""},
	{"schema of an old version cut", head120 + "10 feff 0000 'Critter 01 03 'x 0100 0a 01", "engine-cannot-read@4+4 truncated@29+0", "", ""},
	{"constructor cut", head151 + "cd 0200 ce 0000 feff 0000 'Crit", "truncated@23+0", head151 + "cd 0100 ce 0000" + foot, "$[1]"},
}
