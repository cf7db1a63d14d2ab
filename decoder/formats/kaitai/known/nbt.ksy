meta:
  id: nbt
  title: NBT of Minecraft
  endian: be
  encoding: MUTF-8
doc: The saves of Minecraft's Java edition, which are usually packed with gzip.
seq:
  - id: root
    type: named_tag
types:
  named_tag:
    -webide-representation: '{name.text}: {payload}'
    seq:
      - id: type
        type: u1
        enum: tag
      - id: name
        type: string
        if: type != tag::end
      - id: payload
        type: payload(type.to_i)
        if: type != tag::end
  payload:
    -webide-representation: '{value}'
    params:
      - id: kind
        type: u1
    seq:
      - id: value
        type:
          switch-on: kind
          cases:
            1: s1
            2: s2
            3: s4
            4: s8
            5: f4
            6: f8
            7: byte_array
            8: string
            9: list
            10: compound
            11: int_array
            12: long_array
  compound:
    seq:
      - id: entries
        type: named_tag
        repeat: until
        repeat-until: _.type == tag::end
  list:
    seq:
      - id: kind
        type: u1
        enum: tag
      - id: count
        type: s4
        valid:
          max: 'kind == tag::end ? 0 : 0x7fffffff'
      - id: items
        type: payload(kind.to_i)
        repeat: expr
        repeat-expr: count
  string:
    -webide-representation: '{text}'
    seq:
      - id: length
        type: u2
      - id: text
        type: str
        size: length
  byte_array:
    seq:
      - id: count
        type: s4
      - id: items
        type: s1
        repeat: expr
        repeat-expr: count
  int_array:
    seq:
      - id: count
        type: s4
      - id: items
        type: s4
        repeat: expr
        repeat-expr: count
  long_array:
    seq:
      - id: count
        type: s4
      - id: items
        type: s8
        repeat: expr
        repeat-expr: count
enums:
  tag:
    0: end
    1: byte
    2: short
    3: int
    4: long
    5: float
    6: double
    7: byte_array
    8: string
    9: list
    10: compound
    11: int_array
    12: long_array
