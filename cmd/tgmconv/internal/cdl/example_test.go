package cdl_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cdl"
	"github.com/tgmconv/tgmconv/netcdf"
)

func ExampleWrite() {
	f, err := netcdf.Open("../../../../fixtures/netcdf/complex_types.nc")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	if err := cdl.Write(context.Background(), os.Stdout, f, cdl.Options{Name: "complex", Variables: []string{"status"}}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// netcdf complex {
	// types:
	//   byte enum status_enum {ok = 0, warn = 1, fail = 2} ;
	// dimensions:
	// 	n = 4 ;
	// variables:
	// 	float value(n) ;
	// 	status_enum status(n) ;
	// data:
	//
	//  status = ok, warn, fail, ok ;
	// }
}
