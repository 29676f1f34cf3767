package mapping_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/mapping"
)

func ExampleClauses_Match() {
	clauses, err := mapping.ParseClauses([]string{"name=t/q,level>=500,number=1/to/10"})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := mapping.Read(map[string]any{"name": "t", "level": int64(850), "number": int64(3)})
	fmt.Println(clauses.Match(nil, mapping.LookupFunc(entry.Lookup)))
	// Output: true
}
