/** `npm run generate`: the types of the contract. `-- --check` fails when the committed file is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';

const contract = new URL('../openapi.yaml', import.meta.url);
const generated = new URL('../generated/openapi.d.ts', import.meta.url);
const HEADER = '// Generated from openapi.yaml by `npm run generate`. Never edited by hand.\n\n';

const text = HEADER + astToString(await openapiTypescript(contract));
if (!process.argv.includes('--check')) {
  await writeFile(generated, text);
} else if ((await readFile(generated, 'utf8').catch(() => '')) !== text) {
  console.error('generated/openapi.d.ts is stale: run `npm run generate` and commit the result.');
  process.exit(1);
}
