// Package cases chooses which cases a test runs, if all of them take long.
//
// The cases are the same on every machine and day, so that a change that passes once passes again. The variable
// TGMCONV_CASES of the environment chooses others: it is a number, by which cases are drawn, or "all".
package cases

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// variable is the variable of the environment that is "all", or a seed.
const variable = "TGMCONV_CASES"

// A Choice is of all cases of a test, or of some.
type Choice struct {
	all  bool
	seed uint64
	name string
}

// Of returns the choice for a test. A test that fails says how to choose the same cases again.
func Of(t testing.TB) Choice {
	t.Helper()
	c := Choice{name: t.Name()}
	switch text := os.Getenv(variable); text {
	case "":
	case "all":
		c.all = true
	default:
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s=%s, expected all, or a number", variable, text)
		}
		c.seed = seed
	}
	t.Cleanup(func() {
		if t.Failed() && !c.all {
			t.Logf("some cases were run: %s=%d runs them again, %s=all runs all", variable, c.seed, variable)
		}
	})
	return c
}

// All reports whether all cases are run.
func (c Choice) All() bool { return c.all }

// Has reports whether case n, counted from 0, is run. Of each group of cases in a row, as large as each says, one is run.
func (c Choice) Has(n, each int) bool {
	if c.all {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(c.name))
	r := rand.New(rand.NewPCG(c.seed^h.Sum64(), uint64(n/each)))
	return n%each == r.IntN(each)
}
