# Plays one side of a game that a test listens to: godot3-server --path . -s main.gd --role=server --net-port=7000
extends SceneTree

func _initialize():
	var game = preload("res://game.gd").new()
	game.name = "Game"
	get_root().add_child(game)
