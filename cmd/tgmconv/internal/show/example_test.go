package show_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/tgm"
)

func Example() {
	const name = "../../../../fixtures/tgm/metadata_parity.tgm"
	f, err := tgm.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for m, err := range catalog.Messages(context.Background(), f, name) {
		if err != nil {
			log.Fatal(err)
		}
		for o, err := range m.Select(nil, nil) {
			if err != nil {
				log.Fatal(err)
			}
			row := show.RowOf(o)
			fmt.Println(row.Name, show.Shape(row.Descriptor.Shape), show.Bytes(row.Size))
		}
	}
	// Output:
	// 2t 2x3 175 B
	// msl 4 181 B
}
