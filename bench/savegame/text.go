package savegame

var names = []string{
	"Mira", "Torben", "Aiko", "Old Gate Keeper", "Søren Ødegård", "Größenwahn", "Élodie", "北の塔", "Ночной страж", "żółw",
	"Captain Ines", "rusty_lantern", "Wolf", "🗡 Dawnbreaker", "innkeeper", "Merchant of the Lower Market", "أمينة", "דניאל",
	"नीलम", "지은", "ท่าเรือ",
}

var words = []string{
	"idle", "walk", "hostile", "quest_item", "stackable", "fire", "poisoned", "legendary", "bound", "hidden", "npc", "boss",
	"tutorial", "cave", "harbour", "night", "été", "城", "undead", "flying", "merchant", "locked", "broken", "loot",
	"shield", "potion_small", "arrow", "key_of_the_eastern_tower", "map", "torch", "rope", "coin",
}

// prose are the words of sentences: mostly Latin script, as in most games, but other scripts in one word of six.
var prose = []string{
	"the", "gate", "opened", "before", "bell", "had", "finished", "picked", "up", "coins", "you", "feel", "a", "cold", "wind",
	"from", "lower", "levels;", "something", "large", "is", "moving", "down", "there.", "find", "ferryman", "Autosave",
	"complete", "I", "would", "not", "go", "alone,", "but", "nobody", "ever", "asks", "me.", "12", "(3/5)",
	"fragte", "der", "Wächter", "où", "forêt", "żółw", "ドアは", "閉まっている。", "世界", "Ночной", "страж", "🗡", "👩‍🌾", "أمينة", "지은",
}

// sentence appends a String of n words.
func (g *generator) sentence(n int) {
	g.header(typeString, 0)
	at := g.openCount()
	for i := range n {
		if i > 0 {
			g.buf = append(g.buf, ' ')
		}
		g.buf = append(g.buf, g.pick(prose)...)
	}
	length := len(g.buf) - at - 4
	g.close(at, length)
	g.pad(length)
}
