import { renameSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { encodePng } from '../encode-png.ts';
import { examineBytes } from '../examine-bytes.ts';
import { fingerprintsOf } from '../fingerprints.ts';
import { openDocument } from '../open-document.ts';
import { rules } from '../rules/index.ts';
import { warmUp } from './warm-up.ts';

/**
 * Loads and runs what analyses of documents load and run, so that Node keeps it compiled. Started with the file that says so, and
 * what is to stand in it.
 */

const PAGE = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>
endobj
4 0 obj
<< /Length 18 >>
stream
0 0 50 50 re f BT ET
endstream
endobj
trailer
<< /Root 1 0 R >>
`;

const [mark = '', state = ''] = process.argv.slice(2);
await warmUp();
const picture = encodePng({ width: 32, height: 32, data: new Uint8Array(32 * 32 * 3) });
for (const bytes of [Buffer.from(PAGE), picture]) {
  await examineBytes('sample', bytes, { rules, reading: { ocr: false, ocrSeconds: 0 } });
  const { document } = await openDocument('sample', bytes);
  if (document) await fingerprintsOf(document);
}
await Promise.all([import('./analyst.ts').catch(() => undefined), import('../ocr.ts'), import('../render.ts')]);
flushCompileCache();
const unfinished = `${mark}.${process.pid}`;
writeFileSync(unfinished, state);
renameSync(unfinished, mark);
process.exit();
