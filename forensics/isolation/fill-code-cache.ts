import { renameSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { practise } from './practice.ts';

/**
 * Does what analyses of documents do, so that Node keeps its code compiled. Started with the file that is to say so, and with
 * what is to stand in it.
 */

const [mark = '', state = ''] = process.argv.slice(2);
await practise();
await Promise.all([import('./analyst.ts'), import('../ocr.ts'), import('../render.ts'), import('../image/pixels.ts')]);
flushCompileCache();
const unfinished = `${mark}.${process.pid}`;
writeFileSync(unfinished, state);
renameSync(unfinished, mark);
process.exit();
