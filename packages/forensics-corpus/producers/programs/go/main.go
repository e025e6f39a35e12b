// Draws `in.json` as `out.pdf` with fpdf for Go.
package main

import (
	"encoding/json"
	"os"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

type mark struct {
	Kind, Text, Face, Align string
	X, Y, Width, Height, Size float64
	Fill, Colour []float64
}

type drawing struct {
	Title string
	Sheets []struct {
		Width, Height float64
		Marks []mark
	}
}

func shade(part float64) int { return int(part*255 + 0.5) }

func main() {
	data, _ := os.ReadFile("in.json")
	var one drawing
	if err := json.Unmarshal(data, &one); err != nil {
		panic(err)
	}
	out := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: 595, Ht: 842}})
	out.SetAutoPageBreak(false, 0)
	out.SetTitle(one.Title, true)
	letters := out.UnicodeTranslatorFromDescriptor("cp1252")
	names := map[string]string{"sans": "Helvetica", "serif": "Times", "mono": "Courier"}
	for _, sheet := range one.Sheets {
		out.AddPageFormat("P", fpdf.SizeType{Wd: sheet.Width, Ht: sheet.Height})
		for _, m := range sheet.Marks {
			if m.Kind == "rect" {
				out.SetFillColor(shade(m.Fill[0]), shade(m.Fill[1]), shade(m.Fill[2]))
				out.Rect(m.X, m.Y, m.Width, m.Height, "F")
				continue
			}
			style := ""
			if strings.HasSuffix(m.Face, "bold") {
				style = "B"
			}
			out.SetTextColor(shade(m.Colour[0]), shade(m.Colour[1]), shade(m.Colour[2]))
			out.SetFont(names[strings.Split(m.Face, "-")[0]], style, m.Size)
			text := letters(m.Text)
			x := m.X
			if m.Align == "right" {
				x -= out.GetStringWidth(text)
			}
			out.Text(x, m.Y, text)
		}
	}
	if err := out.OutputFileAndClose("out.pdf"); err != nil {
		panic(err)
	}
}
