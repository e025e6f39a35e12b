import type { Colour, Drawing, Face, Mark } from '../drawing.ts';

const families = {
  sans: "'Liberation Sans', Arial, Helvetica, 'Open Sans', sans-serif",
  serif: "'Liberation Serif', 'Times New Roman', 'DejaVu Serif', serif",
  mono: "'Liberation Mono', 'Courier New', 'DejaVu Sans Mono', monospace",
};

/** The drawing as a web page, with each text at its position. Points are CSS points. */
export function htmlOf(drawing: Drawing): string {
  const [first] = drawing.sheets;
  const sheets = drawing.sheets.map(
    ({ width, height, marks }) =>
      `<section style="width:${width}pt;height:${height}pt">${marks.map(element).join('\n')}</section>`,
  );
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(drawing.title)}</title><style>
@page { size: ${first?.width}pt ${first?.height}pt; margin: 0 }
* { margin: 0; padding: 0; font-variant-ligatures: none }
section { position: relative; overflow: hidden; break-after: page; page-break-after: always }
section:last-child { break-after: auto; page-break-after: auto }
section > * { position: absolute; white-space: pre; line-height: 1 }
</style></head><body>${sheets.join('\n')}</body></html>`;
}

function element(mark: Mark): string {
  if (mark.kind === 'text') {
    const { x, y, size, face, colour, align, text } = mark;
    const edge = align === 'left' ? `left:${x}pt` : `right:calc(100% - ${x}pt)`;
    const weight = face.endsWith('bold') ? 'font-weight:bold;' : '';
    return `<span style="${edge};top:${y - size * 0.86}pt;font-size:${size}pt;font-family:${family(face)};${weight}color:${css(colour)}">${escaped(text)}</span>`;
  }
  const box = `left:${mark.x}pt;top:${mark.y}pt;width:${mark.width}pt;height:${mark.height}pt`;
  if (mark.kind === 'rect') return `<div style="${box};background:${css(mark.fill)}"></div>`;
  return `<img style="${box}" src="data:image/${mark.type};base64,${Buffer.from(mark.bytes).toString('base64')}">`;
}

function family(face: Face): string {
  return families[face.startsWith('sans') ? 'sans' : face.startsWith('serif') ? 'serif' : 'mono'].replaceAll('"', "'");
}

function css(colour: Colour): string {
  return `rgb(${colour.map((part) => Math.round(part * 255)).join(',')})`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
