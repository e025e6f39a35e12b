import { renameSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { practise } from './practice.ts';

/**
 * Does what analyses of documents do, so that Node keeps its code compiled. Started with the file that is to say so, and with
 * what is to stand in it.
 */

const [mark = '', state = ''] = process.argv.slice(2);
await practise();
const onDemand = [import('../pdf/signature/cms.ts'), import('mrz'), import('../ocr.ts'), import('../render.ts')];
await Promise.all([import('./analyst.ts'), import('../image/pixels.ts'), ...onDemand]);
flushCompileCache();
const unfinished = `${mark}.${process.pid}`;
writeFileSync(unfinished, state);
renameSync(unfinished, mark);
process.exit();
