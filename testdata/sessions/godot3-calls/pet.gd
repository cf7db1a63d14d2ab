extends Node

remote func bark():
	pass
