# Prints what Godot 3 loads from resources: a line of JSON for each file in the variable FILES, with the text of each
# property by its name.
extends SceneTree

func _init():
	for file in OS.get_environment("FILES").split("\n"):
		var said = {}
		var loaded = ResourceLoader.load(file, "", true)
		if loaded != null:
			for property in loaded.get_property_list():
				if property.usage & PROPERTY_USAGE_STORAGE:
					said[property.name] = text(loaded.get(property.name))
		print("loaded: " + to_json(said))
	quit()

func text(value):
	if value is Resource:
		return value.get_class() + " " + var2str(value.get("offsets")) + str(value.resource_name)
	return var2str(value)
