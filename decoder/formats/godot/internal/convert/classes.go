package convert

import (
	_ "embed"
	"maps"
	"strings"
	"sync"
)

// renamed are the classes that have another name in Godot 4, each after its name in Godot 3. The source is
// the list class_renames of the engine's own project converter (editor/renames_map_3_to_4.cpp of Godot 4),
// without its entries for the classes of unfinished versions of Godot 4, and without two that turn
// something else into a Node3D: ARVRInterfaceGDNative and TextFile.
var renamed = sync.OnceValue(func() map[string]string { return pairs(classes) })

//go:embed classes.txt
var classes string

// inBoth are classes that other classes were merged into and that Godot 3 has under the same name: a
// conversion to Godot 3 keeps them.
const inBoth = `Button ImageTexture JSON Node2D Popup ResourceLoader Sky Tween VisualShaderNode`

// main is the class of Godot 3 for each class of Godot 4 that replaces several.
const main = `Camera3D Camera	FontFile DynamicFont	MultiplayerPeerExtension NetworkedMultiplayerCustom
	VisualShaderNodeClamp VisualShaderNodeScalarClamp	VisualShaderNodeMix VisualShaderNodeScalarInterp
	VisualShaderNodeSmoothStep VisualShaderNodeScalarSmoothStep`

// original are the classes of Godot 3, by their names in Godot 4.
var original = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for three, four := range renamed() {
		all[four] = three
	}
	maps.Copy(all, pairs(main))
	for _, four := range strings.Fields(inBoth) {
		delete(all, four)
	}
	return all
})

func pairs(text string) map[string]string {
	words, all := strings.Fields(text), map[string]string{}
	for i := 0; i < len(words); i += 2 {
		all[words[i]] = words[i+1]
	}
	return all
}
