import { stripVTControlCharacters } from 'node:util';
import { wrapped } from '../../core/text.ts';

/** Text for a terminal, indented and wrapped between words. A pipe gets a single line. @param hanging the indent of further lines */
export function onScreen(text: string, indent: string, hanging = indent): string {
  const columns = (process.stdout.columns || Number.POSITIVE_INFINITY) - hanging.length;
  const widthOf = (line: string) => stripVTControlCharacters(line).length;
  const lead = hanging.length - indent.length;
  const lines = wrapped(text, columns, (line) => widthOf(line) - (text.startsWith(line) ? lead : 0));
  return indent + lines.join(`\n${hanging}`);
}
