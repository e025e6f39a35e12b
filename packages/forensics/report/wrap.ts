import stringWidth from 'string-width';

/** Wraps a text at spaces to lines of `columns`; splits longer words. */
export function wrap(text: string, columns: number): string[] {
  const room = Math.max(columns, 10);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/).flatMap((each) => pieces(each, room))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function pieces(word: string, room: number): string[] {
  if (stringWidth(word) <= room) return [word];
  const found: string[] = [];
  let piece = '';
  for (const character of word) {
    if (stringWidth(piece + character) > room) {
      found.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...found, piece];
}
