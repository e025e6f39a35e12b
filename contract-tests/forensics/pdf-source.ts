/** PDFs put together byte by byte, for what no library would write. */

export interface Source {
  /** Bodies by object number. */
  objects: Record<number, string>;
  /** Entries of the trailer besides its size; names object 1 as root when absent. */
  trailer?: string;
  /** The binary comment of the second line, in hex. */
  comment?: string;
  /** Before the header; offsets count it. */
  garbage?: string;
}

export const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
export const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** A catalog and one empty page, for files whose pages do not matter. */
export const BARE = {
  1: '<< /Type /Catalog /Pages 2 0 R >>',
  2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
};

export function source({ objects, trailer = '/Root 1 0 R', comment = 'e2e3cfd3', garbage = '' }: Source): Uint8Array {
  const head = `${garbage}%PDF-1.7\n%${Buffer.from(comment, 'hex').toString('latin1')}\n`;
  return latin(appended(head, objects, trailer));
}

/** The file with a revision behind it. */
export function revised(file: Uint8Array, { objects, trailer = '/Root 1 0 R' }: Source): Uint8Array {
  const text = textOf(file);
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1];
  return latin(appended(text, objects, `${trailer} /Prev ${previous}`));
}

function appended(before: string, objects: Record<number, string>, trailer: string): string {
  let text = before;
  const rows = Object.entries(objects).map(([number, body]) => {
    const row = `${number} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${number} 0 obj\n${body}\nendobj\n`;
    return row;
  });
  const size = Math.max(...Object.keys(objects).map(Number)) + 1;
  return `${text}xref\n${rows.join('')}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`;
}

/** The file with an information dictionary of these entries, and an XMP packet. */
export function stating(info: Record<string, string>, xmp?: string, more: Partial<Source> = {}): Uint8Array {
  const entries = Object.entries(info).map(([key, value]) => `/${key} (${value.replace(/[\\()]/g, '\\$&')})`);
  const packet =
    xmp === undefined ? {} : { 9: `<< /Type /Metadata /Length ${xmp.length} >>\nstream\n${xmp}\nendstream` };
  const catalog = `<< /Type /Catalog /Pages 2 0 R ${xmp === undefined ? '' : '/Metadata 9 0 R'} >>`;
  const objects = { ...BARE, 1: catalog, 8: `<< ${entries.join(' ')} >>`, ...packet, ...more.objects };
  return source({ trailer: '/Root 1 0 R /Info 8 0 R', ...more, objects });
}
