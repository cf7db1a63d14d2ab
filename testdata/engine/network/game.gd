# What both sides play. Each prints what it is called with: "got SENDER NUMBER TEXT".
extends Node

var peer = NetworkedMultiplayerENet.new()
var role = ""
var time = 0.0
var got = 0
var rest = 1.0

func _ready():
	var port = 0
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--role="):
			role = argument.substr(7)
		if argument.begins_with("--net-port="):
			port = int(argument.substr(11))
	if role == "server":
		peer.create_server(port, 4)
	else:
		peer.create_client("127.0.0.1", port)
	get_tree().network_peer = peer
	get_tree().connect("network_peer_connected", self, "_connected")

func _connected(_id):
	if role == "client":
		for i in range(3):
			rpc("hello", i, "text %d" % i)

remote func hello(number, text):
	print("got %d %d %s" % [get_tree().get_rpc_sender_id(), number, text])
	got += 1
	if role == "server":
		rpc("hello", number + 100, "back")

func _process(delta):
	time += delta
	if got == 3:
		rest -= delta # what is on its way arrives first
	if rest < 0 or time > 20:
		get_tree().quit()
