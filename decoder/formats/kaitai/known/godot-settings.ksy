meta:
  id: godot_settings
  title: Settings of a Godot project
  file-extension: binary
  endian: le
  encoding: UTF-8
  ks-opaque-types: true
doc: What Godot exports as project.binary, the names and values of project.godot.
seq:
  - id: magic
    contents: ECFG
  - id: count
    type: u4
  - id: settings
    type: setting
    repeat: expr
    repeat-expr: count
types:
  setting:
    -webide-representation: '{name}: {value}'
    seq:
      - id: name_len
        type: u4
      - id: name
        size: name_len
        type: str
      - id: len
        type: u4
      - id: value
        size: len
        type: godot4
