package rewrite_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// Each message of a file is written with its objects in the order of their names, each of them
// once.
func Example() {
	f, err := tgm.Open("../../../../fixtures/tgm/metadata_parity.tgm")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	order := rewrite.Order{Keys: []string{"name"}, Unique: true}
	for m, err := range catalog.Messages(context.Background(), f, "metadata_parity.tgm") {
		if err != nil {
			log.Fatal(err)
		}
		items, err := order.Arrange(rewrite.Selection{}.Objects(m))
		if err != nil {
			log.Fatal(err)
		}
		var out bytes.Buffer
		n, err := edit.Write(&out, items, m.Shared.Extra, edit.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("message", m.Index(), "with", n, "objects")
	}
	// Output: message 0 with 2 objects
}
