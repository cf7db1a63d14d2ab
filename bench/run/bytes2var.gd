extends SceneTree

# Decodes the file that BENCH_FILE names and prints how long bytes2var took, and how many values the Array has.
func _init():
	var file = File.new()
	if file.open(OS.get_environment("BENCH_FILE"), File.READ) != OK:
		print("cannot open BENCH_FILE")
		quit()
		return
	var bytes = file.get_buffer(file.get_len())
	var start = OS.get_ticks_usec()
	var decoded = bytes2var(bytes)
	var took = OS.get_ticks_usec() - start
	var count = decoded.size() if decoded is Array else 0
	print("bytes2var usec %d values %d" % [took, count])
	quit()
