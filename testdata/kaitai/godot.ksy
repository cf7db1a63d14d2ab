meta:
  id: godot
  title: Save of a game in Godot 3
  endian: le
  encoding: UTF-8
  ks-opaque-types: true
seq:
  - id: version
    type: u4
    valid: 3
  - id: len_name
    type: u4
  - id: name
    type: str
    size: len_name
  - id: len_state
    type: u4
  - id: state
    size: len_state
    type: godot3_variant
  - id: steps
    type: u4
