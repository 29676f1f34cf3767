package main

import "github.com/spf13/cobra"

// viewingCommands are the verbs that look into files without changing them.
func viewingCommands() []*cobra.Command {
	return []*cobra.Command{newInfo(), newLs(), newDump(), newGet(), newValidate(), newServe(), newGRIB(), newNetCDF(), newTet(), newStats(), newValues(), newExtract(), newIndex(), newPlot(), newView(), newDoctor()}
}
