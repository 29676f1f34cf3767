package mapping

import (
	"encoding/json"
	"testing"
)

func TestJSON(t *testing.T) {
	for value, want := range map[any]string{JSON(`{"a":[1,null]}`): `{"a":[1,null]}`, JSON("not"): `"not"`, AttributeValue("null", TypeJSON): "null", AttributeValue("null", "char"): `"null"`, AttributeValue(int64(3), TypeJSON): "3"} {
		if got, err := json.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%v: %s, %v, expected %s", value, got, err, want)
		}
	}
}
