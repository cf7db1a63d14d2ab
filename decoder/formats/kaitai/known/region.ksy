meta:
  id: region
  title: Region of Minecraft
  file-extension: [mca, mcr]
  endian: be
  encoding: MUTF-8
doc: Chunks of a world of Minecraft's Java edition, each packed on its own, in sectors of 4096 bytes.
seq:
  - id: places
    type: place
    repeat: expr
    repeat-expr: 1024
  - id: times
    type: u4
    repeat: expr
    repeat-expr: 1024
types:
  place:
    -webide-representation: '{sectors} at {sector}'
    seq:
      - id: sector
        type: b24
      - id: sectors
        type: b8
    instances:
      chunk:
        io: _root._io
        pos: sector * 4096
        size: sectors * 4096
        type: chunk
        if: sectors > 0
  chunk:
    -webide-representation: '{nbt}'
    seq:
      - id: size
        type: u4
      - id: packing
        type: u1
        enum: packing
      - id: nbt
        size: size - 1
        type: nbt
        process: zlib
        if: packing == packing::zlib
      - id: plain
        size: size - 1
        type: nbt
        if: packing == packing::none
      - id: packed
        size: size - 1
        if: packing != packing::zlib and packing != packing::none
      - id: padding
        size: (4092 - size % 4096) % 4096
    enums:
      packing:
        1: gzip
        2: zlib
        3: none
        4: lz4
  nbt:
    -webide-representation: '{root}'
    seq:
      - id: root
        type: named_tag
