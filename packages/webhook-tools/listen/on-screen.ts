import { stripVTControlCharacters } from 'node:util';

/** Text for a terminal, indented and wrapped between words. A pipe gets a single line. @param hanging the indent of further lines */
export function onScreen(text: string, indent: string, hanging = indent): string {
  const columns = process.stdout.columns || Number.POSITIVE_INFINITY;
  const [first = '', ...words] = text.split(/ (?=\S)/);
  const lines = [indent + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (stripVTControlCharacters(longer).length <= columns) lines[lines.length - 1] = longer;
    else lines.push(hanging + word);
  }
  return lines.join('\n');
}
