meta:
  id: first
  endian: le
seq:
  - id: magic
    contents: SAVE
  - id: version
    type: u2
