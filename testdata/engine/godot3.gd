# Godot 3 does the jobs of jobs.json and writes a line of JSON for each to answers.txt:
# it reads or writes files with its own functions, and tells every value to the bit.
extends MainLoop


func _init():
	var jobs = JSON.parse(read_text("res://jobs.json")).result
	var answers = File.new()
	answers.open("res://answers.txt", File.WRITE)
	for job in jobs:
		answers.store_line(answer(job))
	answers.close()


# A script error ends _init, not the engine. This ends it.
func _iteration(_delta):
	return true


func read_text(path):
	var f = File.new()
	f.open(path, File.READ)
	var text = f.get_as_text()
	f.close()
	return text


func answer(job):
	match job.do:
		"raw":
			return list([bytes2var(read_bytes(job.path), job.objects)])
		"base64":
			return list([Marshalls.base64_to_variant(read_text(job.path), job.objects)])
		"read":
			return read(job)
		"write":
			return write(job)


func read_bytes(path):
	var f = File.new()
	f.open(path, File.READ)
	var bytes = f.get_buffer(f.get_len())
	f.close()
	return bytes


# open opens a file as the job says it is wrapped.
func open(job, path, flags):
	var f = File.new()
	var err
	match job.wrapper:
		"":
			err = f.open(path, flags)
		"compressed":
			err = f.open_compressed(path, flags, int(job.mode))
		"key":
			err = f.open_encrypted(path, flags, key(job.key))
		"password":
			err = f.open_encrypted_with_pass(path, flags, job.password)
	if err != OK:
		return str("cannot open: error ", err)
	return f


func key(digits):
	var bytes = PoolByteArray()
	for i in range(0, len(digits), 2):
		bytes.append(("0x" + digits.substr(i, 2)).hex_to_int())
	return bytes


# read reads as many values as the job expects, and tells if that is not all.
func read(job):
	var f = open(job, job.path, File.READ)
	if f is String:
		return text(f)
	var values = []
	for _i in range(job.count):
		values.append(f.get_var(job.objects))
	if f.get_error() != OK:
		return text(str("error ", f.get_error()))
	if f.get_position() != f.get_len():
		return text(str("at byte ", f.get_position(), " of ", f.get_len()))
	f.close()
	return list(values)


# write stores the values of a plain file, several times over.
func write(job):
	var plain = File.new()
	plain.open(job.from, File.READ)
	var f = open(job, job.path, File.WRITE)
	if f is String:
		return text(f)
	for _i in range(job.times):
		plain.seek(0)
		while plain.get_position() < plain.get_len():
			f.store_var(plain.get_var(job.objects), job.objects)
	f.close()
	return text("written")


# The rest writes values in the form of the truths. Texts are bytes in hex, floats
# are hexadecimal: nothing is rounded on the way.

func list(values, form = "value"):
	var parts = PoolStringArray()
	for v in values:
		parts.append(call(form, v))
	return "[" + parts.join(",") + "]"


func value(v):
	match typeof(v):
		TYPE_NIL:
			return '{"type":"Nil"}'
		TYPE_BOOL:
			return typed("bool", "true" if v else "false")
		TYPE_INT:
			return typed("int", '"' + str(v) + '"')  # "%d" writes two signs before the least int
		TYPE_REAL:
			return typed("float", number(v))
		TYPE_STRING:
			return typed("String", text(v))
		TYPE_VECTOR2:
			return typed("Vector2", vector2(v))
		TYPE_RECT2:
			return typed("Rect2", list([v.position.x, v.position.y, v.size.x, v.size.y], "number"))
		TYPE_VECTOR3:
			return typed("Vector3", vector3(v))
		TYPE_TRANSFORM2D:
			return typed("Transform2D", '{"x":%s,"y":%s,"origin":%s}' % [vector2(v.x), vector2(v.y), vector2(v.origin)])
		TYPE_PLANE:
			return typed("Plane", list([v.normal.x, v.normal.y, v.normal.z, v.d], "number"))
		TYPE_QUAT:
			return typed("Quat", list([v.x, v.y, v.z, v.w], "number"))
		TYPE_AABB:
			return typed("AABB", list([v.position.x, v.position.y, v.position.z, v.size.x, v.size.y, v.size.z], "number"))
		TYPE_BASIS:
			return typed("Basis", basis(v))
		TYPE_TRANSFORM:
			return typed("Transform", '{"basis":%s,"origin":%s}' % [basis(v.basis), vector3(v.origin)])
		TYPE_COLOR:
			return typed("Color", color(v))
		TYPE_NODE_PATH:
			return typed("NodePath", node_path(v))
		TYPE_RID:
			return '{"type":"RID"}'
		TYPE_OBJECT:
			return object(v)
		TYPE_DICTIONARY:
			return dictionary(v)
		TYPE_ARRAY:
			return typed("Array", list(v))
		TYPE_RAW_ARRAY:
			return typed("PoolByteArray", list(v, "integer"))
		TYPE_INT_ARRAY:
			return typed("PoolIntArray", list(v, "integer"))
		TYPE_REAL_ARRAY:
			return typed("PoolRealArray", list(v, "number"))
		TYPE_STRING_ARRAY:
			return typed("PoolStringArray", list(v, "text"))
		TYPE_VECTOR2_ARRAY:
			return typed("PoolVector2Array", list(v, "vector2"))
		TYPE_VECTOR3_ARRAY:
			return typed("PoolVector3Array", list(v, "vector3"))
		TYPE_COLOR_ARRAY:
			return typed("PoolColorArray", list(v, "color"))


func typed(type, json):
	return '{"type":"%s","value":%s}' % [type, json]


func integer(n):
	return str(n)


# number is a float as C's %a writes it.
func number(x):
	if is_nan(x):
		return '"nan"'
	if is_inf(x):
		return '"inf"' if x > 0 else '"-inf"'
	var bytes = StreamPeerBuffer.new()
	bytes.put_double(x)
	bytes.seek(0)
	var bits = bytes.get_64()
	var sign_ = "-" if bits < 0 else ""
	var exponent = (bits >> 52) & 0x7ff
	var mantissa = bits & 0xfffffffffffff
	if exponent == 0:
		return '"%s0x0.%013xp-1022"' % [sign_, mantissa]
	return '"%s0x1.%013xp%d"' % [sign_, mantissa, exponent - 1023]


func text(s):
	return '{"hex":"%s"}' % s.to_utf8().hex_encode()


func vector2(v):
	return list([v.x, v.y], "number")


func vector3(v):
	return list([v.x, v.y, v.z], "number")


func basis(b):
	return '{"x":%s,"y":%s,"z":%s}' % [vector3(b.x), vector3(b.y), vector3(b.z)]


func color(c):
	return list([c.r, c.g, c.b, c.a], "number")


func node_path(path):
	var names = []
	for i in range(path.get_name_count()):
		names.append(path.get_name(i))
	var subnames = []
	for i in range(path.get_subname_count()):
		subnames.append(path.get_subname(i))
	var absolute = "true" if path.is_absolute() else "false"
	return '{"absolute":%s,"names":%s,"subnames":%s}' % [absolute, list(names, "text"), list(subnames, "text")]


func dictionary(d):
	var pairs = PoolStringArray()
	for key in d:
		pairs.append("[%s,%s]" % [value(key), value(d[key])])
	return typed("Dictionary", "[" + pairs.join(",") + "]")


func object(o):
	if o == null:
		return '{"type":"Object"}'
	if o is EncodedObjectAsID:
		return typed("Object", '{"id":"' + str(o.get_object_id()) + '"}')
	var properties = PoolStringArray()
	for p in o.get_property_list():
		if p.usage & PROPERTY_USAGE_STORAGE:
			properties.append("[%s,%s]" % [text(p.name), value(o.get(p.name))])
	return typed("Object", '{"class":"%s","props":[%s]}' % [o.get_class(), properties.join(",")])
