import { renameSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { warmUp } from '../warm-up.ts';

/** Runs the worker's code once, so that Node caches it compiled, then writes the marker: its file and content are the arguments. */

const [mark = '', sources = ''] = process.argv.slice(2);
await warmUp();
const onDemand = [
  import('../../pdf/signature/cms.ts'),
  import('mrz'),
  import('../../ocr/read-picture.ts'),
  import('../../pdf/render.ts'),
];
await Promise.all([import('../worker.ts'), import('../../image/pixels.ts'), ...onDemand]);
flushCompileCache();
const unfinished = `${mark}.${process.pid}`;
writeFileSync(unfinished, sources);
renameSync(unfinished, mark);
process.exit();
