package tetshow_test

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/tetshow"
	"github.com/tgmconv/tgmconv/internal/tetquery"
	"github.com/tgmconv/tgmconv/tet"
)

// The greatest value of a dataset, as a table.
func ExampleTable() {
	f, err := tet.Open("../../../../fixtures/tet/multichunk_u8.tet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	d := f.Datasets()[0]
	v, err := tetquery.Evaluate(context.Background(), d, tetquery.Query{Op: "max"}, tet.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if err := tetshow.Table(out, v, 0); err != nil {
		fmt.Println(err)
	}
	// Output:
	// max
	// 6
}
