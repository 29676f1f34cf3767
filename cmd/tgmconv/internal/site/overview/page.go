package overview

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"net/url"
)

//go:embed page.css
var style string

// A page is HTML that is written. It takes no package of templates, since for these the linker keeps the methods of
// all types.
type page struct{ bytes.Buffer }

// put writes HTML with values, whose text is escaped.
func (p *page) put(format string, values ...any) {
	for i, v := range values {
		values[i] = html.EscapeString(fmt.Sprint(v))
	}
	fmt.Fprintf(p, format, values...)
}

// address is a path as a link has it.
func address(path string) string { return (&url.URL{Path: path}).String() }

// html is the page.
func (c *content) html() []byte {
	p := new(page)
	p.put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%v</title>
<style>`, c.Title)
	p.WriteString(style)
	p.put("</style>\n")
	maps := ""
	if c.Maps != "" {
		p.put(`<link rel="icon" href="data:,">
<link rel="stylesheet" href="@viewer/viewer.css">
<script type="module" src="@viewer/viewer.js"></script>
`)
		maps = ` data-maps="` + html.EscapeString(c.Maps) + `"`
	}
	p.put("</head>\n<body")
	p.WriteString(maps)
	p.put(`>
<h1>%v</h1>
<p>%v fields as labelled arrays, served as a Zarr v3 store at <code>%v</code>`, c.Title, c.Objects, c.Base)
	if c.Duplicates > 0 {
		p.put(";\n%v are hidden by others at the same position", c.Duplicates)
	}
	p.put(".</p>\n<p>")
	for i, link := range c.Links {
		if i > 0 {
			p.put(" · ")
		}
		p.put(`<a href="%v">%v</a>`, link.Address, link.Text)
	}
	p.put("</p>\n")
	if len(c.Bad) > 0 {
		p.put("<details><summary>%v inputs or parts of them could not be read</summary><ul>", len(c.Bad))
		for _, bad := range c.Bad {
			p.put("<li>%v", bad)
		}
		p.put("</ul></details>\n")
	}
	p.put("<h2>Open it</h2>\n")
	for _, s := range c.Snippets {
		p.put("<h3>%v</h3>\n<pre>%v</pre>\n", s.Client, s.Code)
	}
	for _, g := range c.Groups {
		p.group(g)
	}
	p.put("</body>\n</html>\n")
	return p.Bytes()
}

func (p *page) group(g group) {
	p.put("<h2>Group <code>%v</code></h2>\n<p>Dimensions: ", g.Name)
	for i, dim := range g.Dims {
		if i > 0 {
			p.put(", ")
		}
		p.put("<code>%v</code>", dim)
	}
	p.put("</p>\n")
	p.variables("Variables", g.Variables)
	p.variables("Coordinates", g.Coordinates)
	if g.More > 0 {
		p.put(`<p class="quiet">and %v more</p>`+"\n", g.More)
	}
	if len(g.Attrs) > 0 {
		p.put(`<h3>Attributes</h3><div class="wide">`)
		p.attributes(g.Attrs)
		p.put("</div>\n")
	}
}

func (p *page) variables(title string, list []variable) {
	if len(list) == 0 {
		return
	}
	p.put(`<h3>%v</h3><div class="wide"><table class="variables">
<tr><th>name<th>dimensions<th>type<th>what it is</tr>
`, title)
	for _, v := range list {
		p.put(`<tr><td><a href="%v"><code>%v</code></a><td><code>%v</code><td>%v<td>`, address(v.Document), v.Name, v.Dims, v.Type)
		p.put(`%v <span class="quiet">%v</span>`+"\n", v.LongName, v.Summary)
		if len(v.Attrs) > 0 {
			p.put("<details><summary>attributes</summary>")
			p.attributes(v.Attrs)
			p.put("</details>")
		}
		p.put("</tr>\n")
	}
	p.put("</table></div>\n")
}

func (p *page) attributes(list []attribute) {
	p.put(`<table class="attributes">`)
	for _, a := range list {
		p.put("<tr><td>%v<td>%v</tr>", a.Key, a.Value)
	}
	p.put("</table>")
}
