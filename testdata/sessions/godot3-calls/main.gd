extends Node

var extra = null

func _ready():
	var net = NetworkedMultiplayerENet.new()
	if "--serve" in OS.get_cmdline_args():
		net.create_server(17011, 4)
		get_tree().network_peer = net
		yield(get_tree().create_timer(6), "timeout")
	else:
		extra = Node.new()
		extra.name = "Pet"
		extra.set_script(load("res://pet.gd"))
		add_child(extra)
		net.create_client("127.0.0.1", 17010)
		get_tree().network_peer = net
		yield(get_tree(), "connected_to_server")
		for i in 3:
			rpc_id(1, "say", "Aria", i)
			rpc_id(1, "say", "Aria")
			rpc_id(1, "cheat", 100)
			rpc_id(1, "move", Vector2(i, 2))
			extra.rpc_id(1, "bark")
			yield(get_tree().create_timer(0.3), "timeout")
		yield(get_tree().create_timer(1), "timeout")
		net.close_connection()
	get_tree().quit()

remote func say(who, what):
	rpc("say_all", who, what)

remote func say_all(who, what):
	pass

func cheat(gold):
	pass

puppet func move(to):
	pass
