extends Node

var hp = 3
puppet var speed = 1
remote var gold = 5

func _ready():
	var net = NetworkedMultiplayerENet.new()
	if "--serve" in OS.get_cmdline_args():
		net.create_server(17021, 4)
		get_tree().network_peer = net
		yield(get_tree().create_timer(3), "timeout")
	else:
		net.create_client("127.0.0.1", 17020)
		get_tree().network_peer = net
		yield(get_tree(), "connected_to_server")
		for i in 3:
			for name in ["hp", "speed", "gold", "mana"]:
				rset_id(1, name, i)
			yield(get_tree().create_timer(0.2), "timeout")
		net.close_connection()
	get_tree().quit()
