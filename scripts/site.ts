/**
 * `npm run site`: writes the reference site to `dist/site`, complete and for any static host.
 * `-- --sandbox <address>` sets the API address that try-it uses; left out, the sandbox of the contract.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from '../site/build.ts';

const FOLDER = fileURLToPath(new URL('../dist/site', import.meta.url));

const { values } = parseArgs({ options: { sandbox: { type: 'string' }, folder: { type: 'string', default: FOLDER } } });
if (values.sandbox !== undefined && !/^https?:$/.test(URL.parse(values.sandbox)?.protocol ?? '')) {
  console.error('Usage: npm run site -- [--sandbox https://sandbox.example/api/v1] [--folder dist/site]');
  process.exit(2);
}
const { files, faults } = await buildSite(values.sandbox);
// Only what is ours to empty.
if (values.folder === FOLDER) await rm(FOLDER, { recursive: true, force: true });
for (const [path, { content }] of files) {
  const file = join(values.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
console.log(`${files.size} files in ${relative(process.cwd(), values.folder) || '.'}`);
console.log(`Open ${pathToFileURL(join(values.folder, 'index.html'))}, or put the folder on any static host.`);
for (const fault of faults) console.error(`  - ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
