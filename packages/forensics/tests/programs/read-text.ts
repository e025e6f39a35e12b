import { readFileSync } from 'node:fs';
import { readPages } from '../../pdf/text/read-pages.ts';

/** Prints the lines of a PDF. */
const pages = await readPages(new Uint8Array(readFileSync(process.argv[2] ?? '')));
for (const { text } of pages.flatMap(({ lines }) => lines)) console.log(text);
