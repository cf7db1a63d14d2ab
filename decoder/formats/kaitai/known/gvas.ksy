meta:
  id: gvas
  title: GVAS, saves of Unreal Engine
  endian: le
  encoding: ASCII
doc: A header with versions, and a list of properties that ends with one named None.
seq:
  - id: magic
    contents: GVAS
  - id: save_version
    type: s4
  - id: package_version
    type: s4
  - id: package_version_5
    type: s4
    if: save_version >= 3
  - id: engine
    type: engine_version
  - id: custom_format
    type: s4
  - id: num_custom
    type: s4
    valid:
      min: 0
  - id: custom
    type: custom_version
    repeat: expr
    repeat-expr: num_custom
  - id: save_type
    type: string
  - id: properties
    type: property
    repeat: until
    repeat-until: _.is_last
  - id: end
    type: u4
instances:
  has_doubles:
    value: save_version >= 3 and package_version_5 >= 1004
types:
  engine_version:
    -webide-representation: '{major}.{minor}.{patch}'
    seq:
      - id: major
        type: u2
      - id: minor
        type: u2
      - id: patch
        type: u2
      - id: build
        type: u4
      - id: branch
        type: string
  custom_version:
    seq:
      - id: guid
        size: 16
      - id: version
        type: s4
  string:
    -webide-representation: '{text}'
    doc: The length counts the zero at the end; a negative one is that of a text in UTF-16.
    seq:
      - id: len
        type: s4
      - id: text
        type: strz
        size: len
        if: len >= 0
      - id: utf16
        type: strz
        encoding: UTF-16LE
        size: -2 * len
        if: len < 0
  property:
    -webide-representation: '{name.text}: {body}'
    seq:
      - id: name
        type: string
      - id: type
        type: string
        if: not is_last
      - id: size
        type: s4
        doc: Size of the value in bytes, without what says its type; 0 for a Bool.
        if: not is_last
      - id: index
        type: s4
        if: not is_last
      - id: body
        type:
          switch-on: type.text
          cases:
            '"BoolProperty"': bool_value
            '"IntProperty"': int_value
            '"UInt32Property"': uint_value
            '"Int64Property"': long_value
            '"UInt64Property"': ulong_value
            '"FloatProperty"': float_value
            '"DoubleProperty"': double_value
            '"StrProperty"': text_value(size)
            '"NameProperty"': text_value(size)
            '"ObjectProperty"': text_value(size)
            '"EnumProperty"': enum_value(size)
            '"ByteProperty"': byte_value(size)
            '"StructProperty"': struct_value(size)
            '"ArrayProperty"': array_value(size)
            '"SetProperty"': set_value(size)
            '"MapProperty"': map_value(size)
            _: other_value(size)
        if: not is_last
    instances:
      is_last:
        value: name.text == "None"
  bool_value:
    -webide-representation: '{value}'
    seq:
      - id: value
        type: u1
        valid:
          any-of: [0, 1]
      - id: has_guid
        type: u1
  int_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: s4
  uint_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: u4
  long_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: s8
  ulong_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: u8
  float_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: f4
  double_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: f8
  other_value:
    -webide-representation: '{value}'
    params:
      - id: size
        type: s4
    seq:
      - id: has_guid
        type: u1
      - id: value
        size: size
  text_value:
    -webide-representation: '{value}'
    params:
      - id: size
        type: s4
    seq:
      - id: has_guid
        type: u1
      - id: value
        size: size
        type: string
  enum_value:
    -webide-representation: '{value}'
    params:
      - id: size
        type: s4
    seq:
      - id: enum_type
        type: string
      - id: has_guid
        type: u1
      - id: value
        size: size
        type: string
  byte_value:
    -webide-representation: '{value}'
    params:
      - id: size
        type: s4
    seq:
      - id: enum_type
        type: string
      - id: has_guid
        type: u1
      - id: value
        size: size
        type:
          switch-on: size
          cases:
            1: byte
            _: string
  set_value:
    -webide-representation: 'set of {item_type}'
    params:
      - id: size
        type: s4
    seq:
      - id: item_type
        type: string
      - id: has_guid
        type: u1
      - id: value
        size: size
  map_value:
    -webide-representation: 'map of {key_type} to {value_type}'
    params:
      - id: size
        type: s4
    seq:
      - id: key_type
        type: string
      - id: value_type
        type: string
      - id: has_guid
        type: u1
      - id: value
        size: size
  struct_value:
    -webide-representation: '{struct_type}'
    params:
      - id: size
        type: s4
    seq:
      - id: struct_type
        type: string
      - id: guid
        size: 16
      - id: has_guid
        type: u1
      - id: value
        size: size
        type:
          switch-on: struct_type.text
          cases:
            '"Vector"': vector
            '"Rotator"': vector
            '"Vector2D"': vector2
            '"Quat"': vector4
            '"LinearColor"': linear_color
            '"Color"': color
            '"Guid"': guid
            '"DateTime"': ticks
            '"Timespan"': ticks
            '"IntPoint"': int_point
            '"IntVector"': int_vector
            '"GameplayTagContainer"': tags
            _: struct_body
  array_value:
    -webide-representation: '{value.num_items} × {item_type}'
    params:
      - id: size
        type: s4
    seq:
      - id: item_type
        type: string
      - id: has_guid
        type: u1
      - id: value
        size: size
        type: array_items(item_type.text)
  struct_body:
    doc: A list of properties, or bytes where the type of none begins it.
    seq:
      - id: properties
        type: property
        repeat: until
        repeat-until: _.is_last
        if: is_list
      - id: value
        size-eos: true
        if: not is_list
    instances:
      bytes:
        pos: 0
        size-eos: true
      len_name:
        value: 'bytes.size < 9 ? 0 : bytes[0] + (bytes[1] << 8)'
      is_list:
        doc: A name that ends with zero, and a type of 9 to 64 bytes, or none.
        value: bytes.size >= 9 and (bytes[3] == 0xff or len_name > 0 and len_name + 4 <= bytes.size and bytes[3 + len_name] == 0 and (len_name + 4 == bytes.size or len_name + 8 < bytes.size and bytes[4 + len_name] > 8 and bytes[4 + len_name] < 64 and bytes[5 + len_name] == 0))
  tags:
    seq:
      - id: num_tags
        type: s4
        valid:
          min: 0
      - id: tags
        type: string
        repeat: expr
        repeat-expr: num_tags
  property_list:
    seq:
      - id: properties
        type: property
        repeat: until
        repeat-until: _.is_last
  array_items:
    params:
      - id: item_type
        type: str
    seq:
      - id: num_items
        type: s4
        valid:
          min: 0
      - id: structs
        type: struct_items(num_items)
        size-eos: true
        if: item_type == "StructProperty"
      - id: ints
        type: s4
        repeat: expr
        repeat-expr: num_items
        if: item_type == "IntProperty"
      - id: floats
        type: f4
        repeat: expr
        repeat-expr: num_items
        if: item_type == "FloatProperty"
      - id: texts
        type: string
        repeat: expr
        repeat-expr: num_items
        if: item_type == "StrProperty" or item_type == "NameProperty" or item_type == "ObjectProperty" or item_type == "EnumProperty"
      - id: others
        size-eos: true
  struct_items:
    params:
      - id: num_items
        type: s4
    seq:
      - id: name
        type: string
      - id: type
        type: string
      - id: size
        type: s4
        -varview-value: values._sizeof
      - id: index
        type: s4
      - id: struct_type
        type: string
      - id: guid
        size: 16
      - id: has_guid
        type: u1
      - id: values
        type:
          switch-on: struct_type.text
          cases:
            '"Vector"': vector
            '"Rotator"': vector
            '"Vector2D"': vector2
            '"Quat"': vector4
            '"LinearColor"': linear_color
            '"Color"': color
            '"Guid"': guid
            '"DateTime"': ticks
            '"Timespan"': ticks
            '"IntPoint"': int_point
            '"IntVector"': int_vector
            _: property_list
        repeat: expr
        repeat-expr: num_items
  byte:
    -webide-representation: '{value}'
    seq:
      - id: value
        type: u1
  vector2:
    doc: Floats up to Unreal Engine 4, doubles from 5 on.
    -webide-representation: '({x}, {y})'
    seq:
      - id: x
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
      - id: y
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
  vector:
    doc: Floats up to Unreal Engine 4, doubles from 5 on.
    -webide-representation: '({x}, {y}, {z})'
    seq:
      - id: x
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
      - id: y
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
      - id: z
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
  vector4:
    doc: Floats up to Unreal Engine 4, doubles from 5 on.
    -webide-representation: '({x}, {y}, {z}, {w})'
    seq:
      - id: x
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
      - id: y
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
      - id: z
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
      - id: w
        type:
          switch-on: _root.has_doubles
          cases:
            true: f8
            _: f4
  linear_color:
    -webide-representation: '({r}, {g}, {b}, {a})'
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  color:
    -webide-representation: '({b}, {g}, {r}, {a})'
    seq:
      - id: b
        type: u1
      - id: g
        type: u1
      - id: r
        type: u1
      - id: a
        type: u1
  int_point:
    -webide-representation: '({x}, {y})'
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
  int_vector:
    -webide-representation: '({x}, {y}, {z})'
    seq:
      - id: x
        type: s4
      - id: y
        type: s4
      - id: z
        type: s4
  guid:
    seq:
      - id: value
        size: 16
  ticks:
    -webide-representation: '{value}'
    doc: Tenths of microseconds; a DateTime counts from the year 1 on.
    seq:
      - id: value
        type: s8
