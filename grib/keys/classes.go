package keys

// classFor gives the class of an accessor by the name that definitions use.
// Names that no message of edition 1 or 2 can reach have none.
func classFor(op string) class {
	switch op {
	case "unsigned":
		return unsignedClass{}
	case "unsigned_bits":
		return unsignedBitsClass{}
	case "spd":
		return spdClass{}
	case "signed":
		return signedClass{}
	case "ascii":
		return asciiClass{}
	case "bytes":
		return bytesClass{}
	case "ksec1expver":
		return expverClass{}
	case "codetable":
		return codetableClass{}
	case "codetable_title":
		return codetableTextClass{}
	case "codetable_units":
		return codetableTextClass{units: true}
	case "getenv":
		return getenvClass{}
	case "codeflag":
		return codeflagClass{}
	case "lookup":
		return lookupClass{}
	case "bit":
		return bitClass{}
	case "label":
		return labelClass{}
	case "ibmfloat":
		return floatClass{ibm: true}
	case "ieeefloat":
		return floatClass{}
	case "position":
		return positionClass{}
	case "constant", "transient":
		return variableClass{}
	case "g1_half_byte_codeflag":
		return halfByteClass{}
	case "section_length":
		return sectionLengthClass{}
	case "g1_message_length":
		return g1LengthClass{}
	case "g1_section4_length":
		return g1LengthClass{section: true}
	case "pad", "padto", "padtoeven", "padtomultiple", "section_padding":
		return paddingClass{op: op}
	case "section_pointer":
		return sectionPointerClass{}
	}
	if c := stepClass(op); c != nil {
		return c
	}
	if c := dateClass(op); c != nil {
		return c
	}
	if c := marsClass(op); c != nil {
		return c
	}
	if c := gridClass(op); c != nil {
		return c
	}
	if c := arithmeticClass(op); c != nil {
		return c
	}
	return dataClass(op)
}

// unknownClass stands for keys that serve encoding only: they take no room and
// have no value.
type unknownClass struct{ genClass }

func (unknownClass) init(*Handle, *accessor) error { return nil }

// computedLong is the base of integer keys that take no room in the message.
type computedLong struct{ longClass }

func (computedLong) init(*Handle, *accessor) error { return nil }

// computedDouble is the same for real keys.
type computedDouble struct{ doubleClass }

func (computedDouble) init(*Handle, *accessor) error { return nil }

// computedText is the same for text.
type computedText struct{ asciiClass }

func (computedText) init(*Handle, *accessor) error { return nil }
