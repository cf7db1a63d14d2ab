package parquetfile

import (
	"encoding/binary"
	"fmt"
)

// A record is a struct of Thrift: its fields in the order of their ids.
type record []field

type field struct {
	id    byte
	value any // int32, int64, string, []any or record
}

// appendStruct appends a struct in Thrift's compact protocol. The ids of fields are at most 15 apart.
func appendStruct(b []byte, r record) []byte {
	last := byte(0)
	for _, f := range r {
		b = append(b, (f.id-last)<<4|typeOf(f.value))
		b, last = appendValue(b, f.value), f.id
	}
	return append(b, 0)
}

// typeOf returns the compact protocol's number of the type of a value.
func typeOf(v any) byte {
	switch v.(type) {
	case int32:
		return 5
	case int64:
		return 6
	case string:
		return 8
	case []any:
		return 9
	case record:
		return 12
	}
	panic(fmt.Sprintf("%T in Thrift", v))
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case int32:
		return binary.AppendVarint(b, int64(v))
	case int64:
		return binary.AppendVarint(b, v)
	case string:
		return append(binary.AppendUvarint(b, uint64(len(v))), v...)
	case record:
		return appendStruct(b, v)
	case []any:
		of := byte(12)
		if len(v) > 0 {
			of = typeOf(v[0])
		}
		b = binary.AppendUvarint(append(b, 15<<4|of), uint64(len(v)))
		for _, e := range v {
			b = appendValue(b, e)
		}
	}
	return b
}
