package fromgrib

import (
	"bytes"
	"encoding/binary"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// TestCreationDateTellsNothing changes octets of a local section that DWD's models write: the second
// at which the message was made, and the number of the experiment.
func TestCreationDateTellsNothing(t *testing.T) {
	message, err := os.ReadFile("../../fixtures/grib/sanity.grib2")
	if err != nil {
		t.Fatal(err)
	}
	local := []byte{0, 0, 0, 20, 2, 0, 253, 0, 0x07, 0xe6, 2, 17, 13, 19, 12, 0, 0, 1, 0, 0}
	at := 16 + int(binary.BigEndian.Uint32(message[16:]))
	if message[at+4] == 2 {
		t.Fatal("the fixture has a local section of its own")
	}
	message = bytes.Join([][]byte{message[:at], local, message[at:]}, nil)
	binary.BigEndian.PutUint64(message[8:], uint64(len(message)))
	product := func(octet int) any {
		changed := bytes.Clone(message)
		changed[at+octet-1] ^= 1
		base, err := entryOf(New(nil, Options{}), changed)
		if err != nil {
			t.Fatal(err)
		}
		return base["product"]
	}
	if first, second := product(14), product(15); !reflect.DeepEqual(first, second) {
		t.Errorf("messages of another minute and of another second have %v and %v", first, second)
	}
	if other := product(18); reflect.DeepEqual(other, product(15)) {
		t.Errorf("an octet after the date tells nothing: %v", other)
	}
}

// TestLocalPartsInAnyOrder reads the messages of each local definition forwards and backwards: which keys a
// message has does not depend on the messages before it.
func TestLocalPartsInAnyOrder(t *testing.T) {
	f, err := grib.Open("../../internal/archive/testdata/locals.grib")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	messages := make([][]byte, f.Len())
	for i := range messages {
		m, err := f.Message(i)
		if err != nil {
			t.Fatal(err)
		}
		messages[i] = bytes.Clone(m.Data)
	}
	products := func(order func(func(int, []byte) bool)) []any {
		all, source := make([]any, len(messages)), New(nil, Options{})
		for i, message := range order {
			base, err := entryOf(source, message)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = base["product"]
		}
		return all
	}
	forwards, backwards := products(slices.All(messages)), products(slices.Backward(messages))
	for i := range messages {
		if !reflect.DeepEqual(forwards[i], backwards[i]) {
			t.Errorf("message %d has %v in reading order, %v in reverse order", i, forwards[i], backwards[i])
		}
	}
}
