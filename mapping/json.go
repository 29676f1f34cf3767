package mapping

import "encoding/json"

// TypeJSON is the type of an attribute whose text is JSON, for values that netCDF has no type for. These
// are a map, a list of lists or of different things, null.
const TypeJSON = "json"

// JSON is the value of such an attribute.
type JSON string

// MarshalJSON implements json.Marshaler: the JSON is the text itself.
func (j JSON) MarshalJSON() ([]byte, error) {
	if !json.Valid([]byte(j)) {
		return json.Marshal(string(j))
	}
	return []byte(j), nil
}

// AttributeValue is the value of an attribute of a type.
func AttributeValue(value, kind any) any {
	if text, ok := value.(string); ok && kind == TypeJSON {
		return JSON(text)
	}
	return value
}
