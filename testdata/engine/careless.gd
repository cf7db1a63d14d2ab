# Decodes what saves hold as a careless game does, by the steps of jobs.json. A script in them tells
# that it runs.
extends MainLoop


func _init():
	for job in JSON.parse(read("res://jobs.json").get_string_from_utf8()).result:
		print("decoding " + job.name)
		var x = bytes2var(read(job.path), true)
		for step in job.decode.split(" "):
			x = decode(x, step.split(":"))
		print("decoded " + job.name)


func _iteration(_delta):
	return true


func read(path):
	var f = File.new()
	f.open(path, File.READ)
	return f.get_buffer(f.get_len())


func decode(x, step):
	match step[0]:
		"var":
			return bytes2var(x, true)
		"str2var":
			return str2var(x)
		"skip":
			return x.subarray(int(step[1]), -1)
		"unpack":
			return x.decompress(65536, int(step[1]))
		"base64":
			return Marshalls.base64_to_raw(x.get_string_from_ascii() if x is PoolByteArray else x)
		"hex":
			return from_hex(x.replace(" ", ""))
		"utf8":
			return x.get_string_from_utf8()
		"json":
			return JSON.parse(x).result[step[1]]
		"key":
			return x.keys()[0]
		"new":
			return x.new()
		"ints":
			var s = StreamPeerBuffer.new()
			for n in x:
				s.put_32(n)
			return s.data_array
		"config":
			write("user://settings.cfg", x.to_utf8())
			var c = ConfigFile.new()
			c.load("user://settings.cfg")
			return c.get_value(step[1], step[2])
		"gcpf":
			write("user://packed", x)
			var f = File.new()
			f.open_compressed("user://packed", File.READ, File.COMPRESSION_FASTLZ)
			return f.get_buffer(f.get_len())
	return x[int(step[0])]


func write(path, bytes):
	var f = File.new()
	f.open(path, File.WRITE)
	f.store_buffer(bytes)
	f.close()


func from_hex(text):
	var bytes = PoolByteArray()
	for i in range(0, text.length(), 2):
		bytes.append(("0x" + text.substr(i, 2)).hex_to_int())
	return bytes
