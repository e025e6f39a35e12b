import type { Colour, Drawing, Face, Mark } from '../drawing.ts';

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
