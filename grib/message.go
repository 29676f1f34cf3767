package grib

// A Message is one GRIB message held in memory.
type Message struct {
	Index   int   // position among the messages of the input, from 0
	Offset  int64 // of its first byte in the input
	Edition int
	Data    []byte // from "GRIB" to "7777", nil when Partial
	Partial bool   // the data were not read: see File.Head

	fields []*Field
}

// ParseMessage splits the message that data begins with into fields and sections. The offset is the
// place of data in its input; it is used for the offsets of sections and in errors. The message
// refers to data, without a copy. Bytes after the message are ignored.
func ParseMessage(data []byte, offset int64, opts ...Option) (*Message, error) {
	return parseMessage(data, offset, newOptions(opts).Limits)
}

func parseMessage(data []byte, offset int64, limits Limits) (*Message, error) {
	if len(data) < 8 || string(data[:4]) != magic {
		return nil, &FormatError{Offset: offset, Section: 0, Msg: `does not begin with "GRIB"`}
	}
	m := &Message{Offset: offset, Edition: int(data[7]), Data: data}
	var err error
	switch m.Edition {
	case 1:
		err = m.parse1(limits)
	case 2:
		err = m.parse2(limits)
	default:
		err = &UnsupportedError{Edition: m.Edition, Section: 0, Template: -1, Offset: offset, What: "the edition"}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Fields returns the fields of the message in order: one for edition 1, one or more for edition 2.
func (m *Message) Fields() []*Field { return m.fields }
