import re
p='/work/main/decoder/wrap/'
def sub(f,a,b):
    s=open(p+f).read(); assert s.count(a)==1,(f,a,s.count(a)); open(p+f,'w').write(s.replace(a,b))
s=open(p+'sniff.go').read()
i=s.index('// sniffBase64 reports'); j=s.index('// lastWhole is where')
open(p+'sniff.go','w').write(s[:i]+s[j:])
sub('sniff.go','\t"varview/decoder/source"\n\t"varview/decoder/span"\n','\t"varview/decoder/source"\n\t"varview/decoder/span"\n')
sub('kind.go','''// Eager is how many bytes of region Open reads before it returns, but for
// headers and tables: all of a text or zlib stream, none of what is unpacked on
// demand, unless its checksum is verified at once.
''','''// eagerRatio is what a zlib stream is taken to unpack to, in times its size.
// Deflate reaches about 1,032, saves seldom more than 20.
const eagerRatio = 64

// Eager is how many bytes Open goes through before it returns, but for headers
// and tables: all of a text, what a zlib stream can unpack to, none of what is
// unpacked on demand, unless its checksum is verified at once.
''')
sub('kind.go','''			return 0
		}
	}
	return region.Length''','''			return 0
		}
	case Zlib:
		if region.Length < o.MaxUnpacked/eagerRatio {
			return region.Length * eagerRatio
		}
		return max(region.Length, o.MaxUnpacked)
	}
	return region.Length''')
sub('gdec.go','"the MD5 differs and the padding is not zero: the key or password is wrong, or the end of the file is damaged"','"wrong key or password, or a damaged end: the MD5 differs and the padding is not zero"')
sub('gdec.go','"the MD5 differs, but the padding is zero: the key is right, and some bytes are damaged"','"damaged bytes: the MD5 differs, but the padding is zero, so the key is right"')
sub('gdec.go','"the MD5 of the decrypted bytes differs: the key or password is wrong, or some bytes are damaged"','"wrong key or password, or damaged bytes: the MD5 of the plain bytes differs"')
sub('gdec.go','"only the first " + byteCount(limit) + " of " + byteCount(all) + " are unpacked; --max-unpacked raises the limit"','"cut by --max-unpacked: only the first " + byteCount(limit) + " of " + byteCount(all) + " are unpacked"')
sub('zlib.go','"only the first %s are unpacked; --max-unpacked raises the limit"','"cut by --max-unpacked: only the first %s are unpacked"')
sub('zlib.go','fmt.Sprintf("only the first %s could be unpacked: %v", byteCount(l.Payload.Size()), err)','fmt.Sprintf("%v: only the first %s could be unpacked", err, byteCount(l.Payload.Size()))')
sub('zlib.go','"the Adler-32 is %s, that of the unpacked bytes is %s: some are damaged"','"damaged bytes: the Adler-32 is %s, that of the unpacked bytes is %s"')
sub('codec.go','"its packed bytes end too early"','"the packed bytes end too early"')
sub('codec.go','"its packed bytes are damaged"','"the packed bytes are damaged"')
sub('gdecheader.go','fmt.Sprintf("%s are to follow in whole cipher blocks of 16, %s are there", plainBytes(h.Size), byteCount(there))','fmt.Sprintf("cut: only %s are there for %s in whole cipher blocks of 16", byteCount(there), plainBytes(h.Size))')
sub('gcpfparts.go','"blocks of %s; those of more than %s are not unpacked"','"too large to unpack: blocks of %s, at most %s are unpacked"')
sub('gcpfparts.go','''fmt.Sprintf("%s in blocks of %s take %s, of which the last holds nothing; the file has %s",
			byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize)), plural(g.Blocks+1, "block"), count(g.Blocks)), gcpfCorrupt)''','''fmt.Sprintf("a block too few: %s in place of %s, of which the last holds nothing, for %s in blocks of %s",
			count(g.Blocks), count(g.Blocks+1), byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize))), gcpfCorrupt)''')
sub('gcpfparts.go','''fmt.Sprintf("%s in blocks of %s take %s, the file ends after the lengths of %s",
		byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize)), plural(g.Blocks, "block"), count(g.entries))''','''fmt.Sprintf("the file ends after %s of %s, for %s in blocks of %s",
		count(g.entries), plural(g.Blocks, "block length"), byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize)))''')
sub('textformat.go','''fmt.Sprintf("%s and others up to the end of the line, %s in all, are no %s digits",
			quoted(text), plural(int64(wrong), "character"), f.digitName())''','''fmt.Sprintf("%s of this line are no %s digits, the first %s",
			plural(int64(wrong), "character"), f.digitName(), quoted(text))''')
