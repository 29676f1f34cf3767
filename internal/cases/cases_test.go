package cases

import "testing"

func TestChoice(t *testing.T) {
	t.Setenv(variable, "20000")
	first := Of(t)
	t.Setenv(variable, "20001")
	second := Of(t)
	t.Setenv(variable, "all")
	all := Of(t)
	if first.All() || !all.All() {
		t.Error("all cases are run for a seed, or some for all")
	}
	const n, each = 1000, 8
	differ := 0
	for block := 0; block < n; block += each {
		chosen := 0
		for i := block; i < block+each; i++ {
			if first.Has(i, each) {
				chosen++
			}
			if first.Has(i, each) != second.Has(i, each) {
				differ++
			}
			if !all.Has(i, each) || !first.Has(i, 1) {
				t.Errorf("case %d is not run", i)
			}
		}
		if chosen != 1 {
			t.Errorf("%d cases from %d on are run, expected 1 of %d", chosen, block, each)
		}
	}
	if differ < n/each {
		t.Errorf("another seed has the same cases but for %d", differ)
	}
}
