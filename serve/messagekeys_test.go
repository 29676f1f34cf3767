package serve

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// TestMessagesOfReplacedFile shows the states of a file one after the other. Arrays keep their
// chunk keys while messages are appended, and take other keys when a message is replaced.
func TestMessagesOfReplacedFile(t *testing.T) {
	message := func(date, run int) []byte {
		return testMessage(t, map[string]any{"run": run}, testObject{float32s(2, 3), tgm.Pipeline{}, map[string]any{"name": "a", "date": date}})
	}
	for _, c := range []struct {
		name      string
		next      [][]byte
		key, gone string // of message 1, whose first key is 1/a/c/0/0
	}{
		{"appended", [][]byte{message(1, 1), message(2, 1), message(3, 1)}, "1/a/c/0/0", "1/a/c.0.0"},
		{"another message", [][]byte{message(1, 1), message(7, 1)}, "1/a/c.0.0", "1/a/c/0/0"},
		{"other metadata of the message", [][]byte{message(1, 1), message(2, 2)}, "1/a/c.0.0", "1/a/c/0/0"},
		{"one less before it", [][]byte{message(2, 1), message(3, 1)}, "1/a/c.0.0", "1/a/c/0/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			known, now := new(history.History), time.Unix(1.7e9, 0)
			show := func(messages ...[]byte) zarr.Store {
				data := slices.Concat(messages...)
				f, err := tgm.NewFile(bytes.NewReader(data), int64(len(data)))
				if err != nil {
					t.Fatal(err)
				}
				view := NewMessageView(f, MessageOptions{})
				plan := known.Plan(map[string]*history.State{"@messages": view.State(t.Context())}, now)
				view.Follow(plan.Forms["@messages"], "@messages", history.NewUses(time.Now))
				known = known.After(plan, now)
				return NewStore(view, StoreOptions{})
			}
			first := show(message(1, 1), message(2, 1))
			get(t, first, "zarr.json")
			get(t, first, "1/a/c/0/0")
			next := show(c.next...)
			get(t, next, c.key)
			if _, err := next.Open(t.Context(), c.gone); !errors.Is(err, zarr.ErrGone) {
				t.Errorf("%s: %v, expected %v", c.gone, err, zarr.ErrGone)
			}
			array, err := zarr.OpenArray(t.Context(), next, "1/a")
			if err != nil {
				t.Fatal(err)
			}
			if got := readNumbers(t, array); !slices.Equal(got, []float64{0, 1, 2, 3, 4, 5}) {
				t.Errorf("values %v", got)
			}
			again := show(message(1, 1), message(2, 1))
			get(t, again, "1/a/c/0/0") // as the file was at first
		})
	}
}
