meta:
  id: texts_le
  title: JSON texts, each with its length before it
  endian: le
  encoding: UTF-8
  ks-opaque-types: true
doc: What a game writes that stores several JSON texts one after another, each as its length and its bytes.
seq:
  - id: texts
    type: text
    repeat: eos
types:
  text:
    -webide-representation: '{value}'
    seq:
      - id: len
        type: u4
      - id: value
        size: len
        type: json
