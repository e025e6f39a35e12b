/** Scripts that draw `in.json` as `out.pdf` with the library of that name. */

export const reportlabScript = `
import json
from reportlab.pdfgen import canvas
drawing = json.load(open('in.json'))
fonts = {'sans': 'Helvetica', 'sans-bold': 'Helvetica-Bold', 'serif': 'Times-Roman', 'serif-bold': 'Times-Bold', 'mono': 'Courier', 'mono-bold': 'Courier-Bold'}
out = canvas.Canvas('out.pdf')
out.setTitle(drawing['title'])
for sheet in drawing['sheets']:
    out.setPageSize((sheet['width'], sheet['height']))
    for mark in sheet['marks']:
        if mark['kind'] == 'rect':
            out.setFillColorRGB(*mark['fill'])
            out.rect(mark['x'], sheet['height'] - mark['y'] - mark['height'], mark['width'], mark['height'], stroke=0, fill=1)
        else:
            out.setFillColorRGB(*mark['colour'])
            out.setFont(fonts[mark['face']], mark['size'])
            draw = out.drawRightString if mark['align'] == 'right' else out.drawString
            draw(mark['x'], sheet['height'] - mark['y'], mark['text'])
    out.showPage()
out.save()
`;

export const fpdfScript = `
import json
from fpdf import FPDF
drawing = json.load(open('in.json'))
fonts = {'sans': 'Helvetica', 'serif': 'Times', 'mono': 'Courier'}
out = FPDF(unit='pt')
out.core_fonts_encoding = 'windows-1252'
out.set_auto_page_break(False)
for sheet in drawing['sheets']:
    out.add_page(format=(sheet['width'], sheet['height']))
    for mark in sheet['marks']:
        if mark['kind'] == 'rect':
            out.set_fill_color(*[round(255 * part) for part in mark['fill']])
            out.rect(mark['x'], mark['y'], mark['width'], mark['height'], 'F')
        else:
            out.set_text_color(*[round(255 * part) for part in mark['colour']])
            out.set_font(fonts[mark['face'].split('-')[0]], 'B' if mark['face'].endswith('bold') else '', mark['size'])
            left = mark['x'] - out.get_string_width(mark['text']) if mark['align'] == 'right' else mark['x']
            out.text(left, mark['y'], mark['text'])
out.output('out.pdf')
`;
