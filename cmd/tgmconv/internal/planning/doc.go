// Package planning has the verbs plan, work and commit, by which any number of machines do one conversion.
package planning
