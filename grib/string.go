package grib

import "fmt"

// String returns the edition, the place and the length of the message.
func (m *Message) String() string {
	return fmt.Sprintf("GRIB %d message %d at byte %d: %d bytes, %d fields", m.Edition, m.Index, m.Offset, len(m.Data), len(m.fields))
}

// String returns the place of the field, and its templates.
func (f *Field) String() string {
	message := 0
	if f.Message != nil {
		message = f.Message.Index
	}
	return fmt.Sprintf("GRIB %d field %d of message %d: grid template %d, product template %d, data template %d",
		f.Edition, f.Index, message, f.GridTemplate(), f.ProductTemplate(), f.DataTemplate())
}
