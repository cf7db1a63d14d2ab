package decoder

// A FramingInfo describes a framing for people.
type FramingInfo struct {
	Name  string `json:"framing"`
	About string `json:"about"`
}

// Framings lists how values can follow one another in a buffer.
func Framings() []FramingInfo {
	return []FramingInfo{
		{"raw", "one bare value: var_to_bytes, PacketPeer.put_var, a UDP packet"},
		{"stream", "values, each behind its length in 4 bytes: store_var, StreamPeer.put_var"},
	}
}
