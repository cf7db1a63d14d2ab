meta:
  id: save
  title: Example save
  file-extension: sav
  endian: le
  encoding: UTF-8
doc: A save that a game writes field by field.
seq:
  - id: magic
    contents: SAVE
  - id: version
    type: u2
    valid:
      min: 1
      max: 3
  - id: flags
    type: flags
  - id: player
    type: player
  - id: num_items
    type: u2
  - id: items
    type: item
    repeat: expr
    repeat-expr: num_items
  - id: notes_offset
    type: u4
  - id: settings_size
    type: u2
  - id: settings
    size: settings_size
    type: settings
    process: xor(0x5a)
instances:
  notes:
    pos: notes_offset
    type: strz
    doc: What the player has written down.
  is_rich:
    value: player.gold > 1000
types:
  flags:
    seq:
      - id: difficulty
        type: b2
        enum: difficulty
      - id: is_hardcore
        type: b1
      - id: reserved
        type: b5
      - id: seconds
        type: b24
  player:
    seq:
      - id: name
        type: str
        size: 12
        terminator: 0
      - id: gold
        type: u4
      - id: health
        type: f4
  item:
    -webide-representation: "{name} x{count}"
    seq:
      - id: kind
        type: u1
        enum: kind
      - id: len_name
        type: u1
      - id: name
        type: str
        size: len_name
      - id: count
        type: u2
      - id: charge
        type: f8
        if: kind == kind::staff
  settings:
    seq:
      - id: volume
        type: u1
      - id: language
        type: str
        size-eos: true
enums:
  kind:
    1:
      id: sword
      doc: It cuts.
    2: potion
    7: staff
  difficulty:
    0: easy
    1: normal
    2: hard
