meta:
  id: quest
  file-extension: sav
  endian: le
  encoding: UTF-8
seq:
  - id: magic
    contents: QST1
  - id: version
    type: u2
  - id: checksum
    type: u4
    -varview-value: crc32(protected)
  - id: len_file
    type: u4
    -varview-value: _io.size
  - id: player
    type: name
  - id: gold
    type: u4
  - id: hp
    type: u2
  - id: num_items
    type: u2
  - id: items
    type: item
    repeat: expr
    repeat-expr: num_items
instances:
  protected:
    pos: 10
    size-eos: true
types:
  name:
    -webide-representation: "{text}"
    seq:
      - id: len
        type: u2
      - id: text
        type: str
        size: len
  item:
    -webide-representation: "{name} x{count}"
    seq:
      - id: name
        type: name
      - id: count
        type: u1
