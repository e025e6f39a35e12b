/** How many columns of a terminal a text takes. */
export type Width = (text: string) => number;

/** Breaks a text at its spaces into lines of so many columns; a word that is longer is broken too. */
export function wrap(text: string, columns: number, width: Width): string[] {
  const room = Math.max(columns, 10);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/).flatMap((each) => pieces(each, room, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function pieces(word: string, room: number, width: Width): string[] {
  if (width(word) <= room) return [word];
  const found: string[] = [];
  let piece = '';
  for (const character of word) {
    if (width(piece + character) > room) {
      found.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...found, piece];
}
