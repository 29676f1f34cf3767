package extract

var CornersOf = cornersOf
