/**
 * `npm run site`: writes the reference site to `dist/site`, complete, for any static host.
 * `-- --sandbox <address>` sets the API address that try-it uses; the default is the contract's sandbox.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { commandLine, misused } from '../harness/process/command-line.ts';

const USAGE = 'npm run site -- [--sandbox https://sandbox.example/api/v1] [--folder dist/site]';
const FOLDER = fileURLToPath(new URL('../dist/site', import.meta.url));

const { folder, sandbox } = readArguments();
// Imported here so that the usage comes at once.
const { buildSite } = await import('../site/build.ts');
const { files, faults } = await buildSite(sandbox);
// Any other folder may contain files that are not ours to delete.
if (folder === FOLDER) await rm(FOLDER, { recursive: true, force: true });
for (const [path, { content }] of files) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
console.log(`${files.size} files in ${relative(process.cwd(), folder) || '.'}`);
console.log(`Open ${pathToFileURL(join(folder, 'index.html'))}, or put the folder on any static host.`);
for (const fault of faults) console.error(`  - ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

function readArguments(): { folder: string; sandbox: string | undefined } {
  const { values } = commandLine(USAGE, {
    options: { sandbox: { type: 'string' }, folder: { type: 'string', default: FOLDER } },
  });
  if (values.folder === '') misused(USAGE, 'The folder has no name.');
  const sandbox = values.sandbox === undefined ? undefined : baseAddress(values.sandbox);
  return { folder: resolve(values.folder), sandbox };
}

/** A web address to which paths can be added. */
function baseAddress(text: string): string {
  const url = URL.parse(text);
  const address = url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname : undefined;
  if (address === undefined || address !== url?.href)
    misused(USAGE, 'The sandbox is an http or https address without credentials, query and fragment.');
  return address.replace(/\/+$/, '');
}
