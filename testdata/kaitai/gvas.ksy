meta:
  id: gvas
  title: GVAS, saves of Unreal Engine 4
  endian: le
  encoding: UTF-8
doc: A header with versions, and a list of properties that ends with one named None.
seq:
  - id: magic
    contents: GVAS
  - id: save_version
    type: s4
  - id: package_version
    type: s4
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
    doc: The length counts the zero byte at the end. Texts in UTF-16, whose length is negative, are not read.
    seq:
      - id: len
        type: s4
        valid:
          min: 0
      - id: text
        type: strz
        size: len
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
            '"FloatProperty"': float_value
            '"StrProperty"': text_value
            '"EnumProperty"': enum_value
            '"StructProperty"': struct_value(size)
            '"ArrayProperty"': array_value(size)
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
  float_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: f4
  text_value:
    -webide-representation: '{value}'
    seq:
      - id: has_guid
        type: u1
      - id: value
        type: string
  enum_value:
    -webide-representation: '{value}'
    seq:
      - id: enum_type
        type: string
      - id: has_guid
        type: u1
      - id: value
        type: string
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
        type: property_list
        size: size
  property_list:
    seq:
      - id: properties
        type: property
        repeat: until
        repeat-until: _.is_last
  array_value:
    -webide-representation: '{num_items} × {item_type}'
    params:
      - id: size
        type: s4
    seq:
      - id: item_type
        type: string
      - id: has_guid
        type: u1
      - id: num_items
        type: s4
      - id: items
        type:
          switch-on: item_type.text
          cases:
            '"StructProperty"': struct_items(num_items)
        size: size - 4
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
      - id: index
        type: s4
      - id: struct_type
        type: string
      - id: guid
        size: 16
      - id: has_guid
        type: u1
      - id: values
        type: property_list
        repeat: expr
        repeat-expr: num_items
