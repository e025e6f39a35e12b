/** In points, from the top left of the page. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Finds where a page shows this text, ignoring spaces. Assembles lines here instead of using the engine, so that the engine's reading
 * errors are not repeated.
 */
export async function locate(bytes: Uint8Array, page: number, text: string): Promise<Place | undefined> {
  const { getDocument } = await reader();
  const task = getDocument({ data: bytes.slice(), verbosity: 0, useSystemFonts: false });
  try {
    const opened = await (await task.promise).getPage(page);
    const { height } = opened.getViewport({ scale: 1 });
    const { items } = await opened.getTextContent();
    const pieces = items.flatMap((item) => ('str' in item && item.str !== '' ? [pieceOf(item, height)] : []));
    return placeOf(lines(pieces), text.replace(/\s/g, ''));
  } finally {
    await task.destroy();
  }
}

export function scaled({ x, y, width, height }: Place, factor: number): Place {
  return { x: x * factor, y: y * factor, width: width * factor, height: height * factor };
}

interface Piece extends Place {
  text: string;
}

function pieceOf(item: { str: string; transform: number[]; width: number }, height: number): Piece {
  const [, , skew = 0, scale = 0, x = 0, y = 0] = item.transform;
  const size = Math.hypot(skew, scale);
  return { text: item.str, x, y: height - y - size * 0.78, width: item.width, height: size };
}

/** Pieces on the same baseline, from left to right. */
function lines(pieces: readonly Piece[]): Piece[][] {
  const byHeight = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const bottom = Math.round(piece.y + piece.height * 0.78);
    const near = [bottom, bottom - 1, bottom + 1].find((key) => byHeight.has(key)) ?? bottom;
    byHeight.set(near, [...(byHeight.get(near) ?? []), piece]);
  }
  return [...byHeight.values()].map((line) => line.sort((one, other) => one.x - other.x));
}

function placeOf(all: readonly Piece[][], wanted: string): Place | undefined {
  for (const line of all) {
    const letters = line.flatMap(lettersOf);
    const at = letters
      .map(({ text }) => text)
      .join('')
      .indexOf(wanted);
    const [first, last] = [letters[at], letters[at + wanted.length - 1]];
    if (at < 0 || !first || !last) continue;
    const { x, y, height } = first;
    return { x, y, width: last.x + last.width - x, height };
  }
  return undefined;
}

/** Assumes that all letters of a piece have equal width; the relevant digits do. */
function lettersOf(piece: Piece): Piece[] {
  const letters = [...piece.text];
  const width = piece.width / letters.length;
  return letters
    .map((text, index) => ({ ...piece, text, x: piece.x + index * width, width }))
    .filter(({ text }) => text.trim() !== '');
}

export async function pageCount(bytes: Uint8Array): Promise<number> {
  const { getDocument } = await reader();
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    return (await task.promise).numPages;
  } finally {
    await task.destroy();
  }
}

/** Runs pdf.js in this process: its worker is imported, so that it starts none. It needs the two classes only for rendering. */
async function reader(): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> {
  const globals: Record<string, unknown> = globalThis;
  globals['DOMMatrix'] ??= class {};
  globals['Path2D'] ??= class {};
  const worker: string = 'pdfjs-dist/legacy/build/pdf.worker.mjs';
  await import(worker);
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
