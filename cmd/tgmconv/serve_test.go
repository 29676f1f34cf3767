package main

import (
	"bytes"
	"context"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A lineWatcher passes on the text written to it, and is safe for a command that runs on another
// goroutine.
type lineWatcher struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (w *lineWatcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return w.text.Write(p)
}

// wait returns the text when it contains the wanted words.
func (w *lineWatcher) wait(t *testing.T, wanted string) string {
	t.Helper()
	timeout := time.After(time.Minute)
	for {
		w.mu.Lock()
		text := w.text.String()
		w.mu.Unlock()
		if strings.Contains(text, wanted) {
			return text
		}
		select {
		case <-w.more:
		case <-timeout:
			t.Fatalf("%q does not come, there is %q", wanted, text)
		}
	}
}

// serve says where it listens and how to read from it, answers there, and ends without an error
// when it is interrupted.
func TestServeUntilInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out := &lineWatcher{more: make(chan struct{}, 1)}
	root := newRoot()
	root.SetOut(out)
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, root, []string{"serve", "--view", "messages", "--addr", "127.0.0.1:0", "../../fixtures/tgm/v0.20/multi_message.tgm"}, io.Discard)
	}()
	text := out.wait(t, "press Ctrl-C to stop")
	_, rest, _ := strings.Cut(text, " at ")
	base, _, _ := strings.Cut(rest, "\n")
	for _, want := range []string{`xarray.open_zarr("` + base + `", group="0")`, `zarr.open_group("` + base, "its 2 messages are the groups 0 to 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	response, err := http.Get(base + "/1/object_0/c/0")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || !bytes.Equal(body, []byte{0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40}) {
		t.Errorf("chunk is %x, %v", body, err)
	}
	interrupt()
	select {
	case code := <-ended:
		if code != cli.ExitOK {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(time.Minute):
		t.Error("the server goes on")
	}
}
