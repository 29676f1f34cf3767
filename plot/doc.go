// Package plot draws maps of fields: on any grid whose coordinates are known, with coastlines, a
// colour table that suits the parameter, a colour bar and a title.
//
// Most callers make a [Panel] of each field that package look lists, and draw them:
//
//	panel, err := plot.NewPanel(ctx, field)
//	...
//	img, err := plot.Draw([]*plot.Panel{panel}, plot.Options{Width: 1000})
//
// Several panels are drawn as one sheet; [Animate] writes them one after the other as an animated
// PNG or GIF.
//
// Cells have the colour of the grid point nearest to each pixel; isolines and filled contours are drawn between grid points.
package plot
