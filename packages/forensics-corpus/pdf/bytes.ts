/** One byte per character. */
export function latin(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function latinText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

const beyondLatin: Record<string, string> = { '€': '\x80', '‚': '\x82', '–': '\x96', '—': '\x97', '’': '\x92' };

/** In Windows code page 1252, one byte per character. @throws on letters outside the code page */
export function winAnsi(text: string): string {
  const bytes = [...text].map((letter) => beyondLatin[letter] ?? letter);
  const strange = bytes.find((letter) => letter.charCodeAt(0) > 255);
  if (strange) throw new Error(`The code page has no ${strange}.`);
  return bytes.join('');
}

export function fromWinAnsi(bytes: string): string {
  const back = new Map(Object.entries(beyondLatin).map(([letter, byte]) => [byte, letter]));
  return [...bytes].map((byte) => back.get(byte) ?? byte).join('');
}

/** ISO 32000-1, 7.9.4. */
export function pdfDate(date: Date): string {
  return `D:${date.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`;
}

export function concatenated(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
