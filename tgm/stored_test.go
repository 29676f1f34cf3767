package tgm_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

// Stored gives the object that Object gives, except for its metadata.
func TestStoredIsTheObjectWithoutItsMetadata(t *testing.T) {
	for _, path := range []string{"../fixtures/tgm/v0.20/multi_object.tgm", "../fixtures/tgm/v0.17/multi_object.tgm"} {
		file, err := tgm.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		message, err := file.Message(0)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 3 {
			whole, err := message.Object(j)
			if err != nil {
				t.Fatal(err)
			}
			stored, err := message.Stored(j)
			if err != nil {
				t.Fatal(err)
			}
			if len(stored.Base()) != 0 {
				t.Errorf("object %d has metadata %v", j, stored.Base())
			}
			want, err := whole.Decode(tgm.DecodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := stored.Decode(tgm.DecodeOptions{})
			if err != nil || !bytes.Equal(got.Data, want.Data) || stored.Offset() != whole.Offset() {
				t.Errorf("object %d: other values or another place, error %v", j, err)
			}
		}
		for _, j := range []int{-1, 3} {
			var object *tgm.ObjectError
			if _, err := message.Stored(j); !errors.As(err, &object) {
				t.Errorf("object %d: error %v, want an ObjectError", j, err)
			}
		}
	}
}
