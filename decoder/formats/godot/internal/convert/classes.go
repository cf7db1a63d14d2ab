package convert

import (
	"maps"
	"strings"
	"sync"
)

// renamed are the classes that have another name in Godot 4, each after its name in Godot 3. The source is
// the list class_renames of the engine's own project converter (editor/renames_map_3_to_4.cpp of Godot 4),
// without its entries for the classes of unfinished versions of Godot 4, and without two that turn
// something else into a Node3D: ARVRInterfaceGDNative and TextFile.
var renamed = sync.OnceValue(func() map[string]string {
	return pairs(`
	Area Area3D	Camera Camera3D	Path Path3D	Reference RefCounted	Shape Shape3D	Tabs TabBar
	ARVRAnchor XRAnchor3D	ARVRCamera XRCamera3D	ARVRController XRController3D	ARVRInterface XRInterface
	ARVROrigin XROrigin3D	ARVRPositionalTracker XRPositionalTracker	ARVRServer XRServer	AStar AStar3D
	AnimatedSprite AnimatedSprite2D	AudioStreamOGGVorbis AudioStreamOggVorbis
	AudioStreamRandomPitch AudioStreamRandomizer	AudioStreamSample AudioStreamWAV	BakedLightmap LightmapGI
	BakedLightmapData LightmapGIData	BitmapFont FontFile	BoneAttachment BoneAttachment3D	BoxShape BoxShape3D
	CPUParticles CPUParticles3D	CSGBox CSGBox3D	CSGCombiner CSGCombiner3D	CSGCylinder CSGCylinder3D
	CSGMesh CSGMesh3D	CSGPolygon CSGPolygon3D	CSGPrimitive CSGPrimitive3D	CSGShape CSGShape3D
	CSGSphere CSGSphere3D	CSGTorus CSGTorus3D	CapsuleShape CapsuleShape3D	ClippedCamera Camera3D
	CollisionObject CollisionObject3D	CollisionPolygon CollisionPolygon3D	CollisionShape CollisionShape3D
	ConcavePolygonShape ConcavePolygonShape3D	ConeTwistJoint ConeTwistJoint3D
	ConvexPolygonShape ConvexPolygonShape3D	CubeMap Cubemap	CubeMesh BoxMesh	CylinderShape CylinderShape3D
	DirectionalLight DirectionalLight3D	Directory DirAccess	DynamicFont FontFile	DynamicFontData FontFile
	EditorNavigationMeshGenerator NavigationMeshGenerator	EditorSceneImporter EditorSceneFormatImporter
	EditorSceneImporterFBX EditorSceneFormatImporterFBX	EditorSceneImporterGLTF EditorSceneFormatImporterGLTF
	EditorSpatialGizmo EditorNode3DGizmo	EditorSpatialGizmoPlugin EditorNode3DGizmoPlugin
	ExternalTexture ImageTexture	GIProbe VoxelGI	GIProbeData VoxelGIData	Generic6DOFJoint Generic6DOFJoint3D
	GeometryInstance GeometryInstance3D	GradientTexture GradientTexture2D	HeightMapShape HeightMapShape3D
	HingeJoint HingeJoint3D	IP_Unix IPUnix	ImmediateGeometry ImmediateMesh	InterpolatedCamera Camera3D
	JSONParseResult JSON	Joint Joint3D	KinematicBody CharacterBody3D	KinematicBody2D CharacterBody2D
	KinematicCollision KinematicCollision3D	LargeTexture ImageTexture	Light Light3D	Light2D PointLight2D
	LineShape2D WorldBoundaryShape2D	Listener AudioListener3D	Listener2D AudioListener2D
	MeshInstance MeshInstance3D	MultiMeshInstance MultiMeshInstance3D
	MultiplayerPeerGDNative MultiplayerPeerExtension	Navigation2DServer NavigationServer2D
	NavigationAgent NavigationAgent3D	NavigationMeshInstance NavigationRegion3D
	NavigationObstacle NavigationObstacle3D	NavigationPolygonInstance NavigationRegion2D
	NavigationServer NavigationServer3D	NetworkedMultiplayerCustom MultiplayerPeerExtension
	NetworkedMultiplayerENet ENetMultiplayerPeer	NetworkedMultiplayerPeer MultiplayerPeer
	Occluder OccluderInstance3D	OmniLight OmniLight3D	OpenSimplexNoise FastNoiseLite
	PHashTranslation OptimizedTranslation	PacketPeerGDNative PacketPeerExtension	PanoramaSky Sky
	Particles2D GPUParticles2D	ParticlesMaterial ParticleProcessMaterial	PathFollow PathFollow3D
	PhysicalBone PhysicalBone3D	Physics2DDirectBodyState PhysicsDirectBodyState2D
	Physics2DDirectSpaceState PhysicsDirectSpaceState2D	Physics2DServer PhysicsServer2D
	Physics2DServerSW GodotPhysicsServer2D	Physics2DShapeQueryParameters PhysicsShapeQueryParameters2D
	Physics2DTestMotionResult PhysicsTestMotionResult2D	PhysicsBody PhysicsBody3D
	PhysicsDirectBodyState PhysicsDirectBodyState3D	PhysicsDirectSpaceState PhysicsDirectSpaceState3D
	PhysicsServer PhysicsServer3D	PhysicsShapeQueryParameters PhysicsShapeQueryParameters3D
	PhysicsTestMotionResult PhysicsTestMotionResult3D	PinJoint PinJoint3D	PlaneShape WorldBoundaryShape3D
	PopupDialog Popup	Position2D Marker2D	Position3D Marker3D	ProceduralSky Sky	RayCast RayCast3D
	RayShape SeparationRayShape3D	RayShape2D SeparationRayShape2D	RemoteTransform RemoteTransform3D
	ResourceInteractiveLoader ResourceLoader	RigidBody RigidBody3D	SceneTreeTween Tween	ShortCut Shortcut
	Skeleton Skeleton3D	SkeletonIK SkeletonIK3D	SliderJoint SliderJoint3D	SoftBody SoftBody3D	Spatial Node3D
	SpatialGizmo Node3DGizmo	SpatialMaterial StandardMaterial3D	SphereShape SphereShape3D
	SpotLight SpotLight3D	SpringArm SpringArm3D	Sprite Sprite2D	StaticBody StaticBody3D
	StreamPeerGDNative StreamPeerExtension	StreamPeerSSL StreamPeerTLS	StreamTexture CompressedTexture2D
	TCP_Server TCPServer	Texture Texture2D	TextureArray Texture2DArray	TextureProgress TextureProgressBar
	ToolButton Button	VehicleBody VehicleBody3D	VehicleWheel VehicleWheel3D	VideoPlayer VideoStreamPlayer
	Viewport SubViewport	ViewportContainer SubViewportContainer	VisibilityEnabler VisibleOnScreenEnabler3D
	VisibilityEnabler2D VisibleOnScreenEnabler2D	VisibilityNotifier VisibleOnScreenNotifier3D
	VisibilityNotifier2D VisibleOnScreenNotifier2D	VisualInstance VisualInstance3D	VisualServer RenderingServer
	VisualShaderNodeCubeMap VisualShaderNodeCubemap	VisualShaderNodeScalarClamp VisualShaderNodeClamp
	VisualShaderNodeScalarConstant VisualShaderNodeFloatConstant	VisualShaderNodeScalarFunc VisualShaderNodeFloatFunc
	VisualShaderNodeScalarInterp VisualShaderNodeMix	VisualShaderNodeScalarOp VisualShaderNodeFloatOp
	VisualShaderNodeScalarSmoothStep VisualShaderNodeSmoothStep	VisualShaderNodeScalarSwitch VisualShaderNodeSwitch
	VisualShaderNodeScalarTransformMult VisualShaderNodeTransformOp
	VisualShaderNodeTransformMult VisualShaderNode	VisualShaderNodeVectorClamp VisualShaderNodeClamp
	VisualShaderNodeVectorInterp VisualShaderNodeMix	VisualShaderNodeVectorScalarMix VisualShaderNodeMix
	VisualShaderNodeVectorScalarSmoothStep VisualShaderNodeSmoothStep
	VisualShaderNodeVectorScalarStep VisualShaderNodeStep	VisualShaderNodeVectorSmoothStep VisualShaderNodeSmoothStep
	VisualShaderNodeBooleanUniform VisualShaderNodeBooleanParameter
	VisualShaderNodeColorUniform VisualShaderNodeColorParameter
	VisualShaderNodeScalarUniform VisualShaderNodeFloatParameter
	VisualShaderNodeCubemapUniform VisualShaderNodeCubemapParameter
	VisualShaderNodeTextureUniform VisualShaderNodeTexture2DParameter
	VisualShaderNodeTextureUniformTriplanar VisualShaderNodeTextureParameterTriplanar
	VisualShaderNodeTransformUniform VisualShaderNodeTransformParameter
	VisualShaderNodeVec3Uniform VisualShaderNodeVec3Parameter	VisualShaderNodeUniform VisualShaderNodeParameter
	VisualShaderNodeUniformRef VisualShaderNodeParameterRef
	WebRTCDataChannelGDNative WebRTCDataChannelExtension	WebRTCMultiplayer WebRTCMultiplayerPeer
	WebRTCPeerConnectionGDNative WebRTCPeerConnectionExtension	WindowDialog Window	YSort Node2D`)
})

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
