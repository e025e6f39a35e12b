import type { Colour, Drawing, Face, Mark } from '../drawing.ts';

/** Drawings for Typst, and the program that draws `in.json` with fpdf for Go. */

const families = { sans: 'Libertinus Serif', serif: 'New Computer Modern', mono: 'DejaVu Sans Mono' } as const;

/** Each text at its position, in the fonts bundled with Typst. */
export function typstOf({ title, sheets }: Drawing): string {
  const pages = sheets.map(
    ({ width, height, marks }) =>
      `#page(width: ${width}pt, height: ${height}pt, margin: 0pt)[${marks.map(element).join('\n')}]`,
  );
  return `#set document(title: ${quoted(title)})\n#set text(top-edge: "baseline", bottom-edge: "baseline")\n${pages.join('\n')}`;
}

function element(mark: Mark): string {
  if (mark.kind === 'rect')
    return `#place(dx: ${mark.x}pt, dy: ${mark.y}pt, rect(width: ${mark.width}pt, height: ${mark.height}pt, stroke: none, fill: ${colour(mark.fill)}))`;
  if (mark.kind === 'picture') return '';
  const { x, y, size, face, text, align } = mark;
  const content = `text(font: ${quoted(family(face))}, size: ${size}pt, fill: ${colour(mark.colour)}, weight: ${quoted(face.endsWith('bold') ? 'bold' : 'regular')}, ${quoted(text)})`;
  return align === 'left'
    ? `#place(dx: ${x}pt, dy: ${y}pt, ${content})`
    : `#context { let one = ${content}; place(dx: ${x}pt - measure(one).width, dy: ${y}pt, one) }`;
}

function family(face: Face): string {
  return families[face.startsWith('sans') ? 'sans' : face.startsWith('serif') ? 'serif' : 'mono'];
}

function colour(parts: Colour): string {
  return `rgb(${parts.map((part) => `${Math.round(part * 100)}%`).join(', ')})`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** Uses fpdf for Go; built by `go run` from the module cache or proxy. */
export const goFpdfProgram = `package main

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
`;
