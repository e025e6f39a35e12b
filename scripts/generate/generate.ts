/** `npm run generate`: generates everything derived from the contract, the settings' catalogue and the table of conditions. `-- --check` names stale committed files. */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import type { GeneratedContract } from '../../core/contract.ts';
import { commandLine } from '../../harness/process/command-line.ts';
import { contractOf } from '../../site/contract.ts';
import { statesTable } from '../mock/states.ts';
import { alertRules } from './alert-rules.ts';
import { clientPackages } from './client-packages.ts';
import { conditionSections } from './condition-sections.ts';
import { generatedContract } from './generated-contract.ts';
import { withParts } from './generated-parts.ts';
import { postmanCollection } from './postman.ts';
import { settingsTables } from './settings-tables.ts';

const { values } = commandLine('npm run generate [-- --check]', { options: { check: { type: 'boolean' } } });
const root = new URL('../../', import.meta.url);
const contract = new URL('openapi.yaml', root);
const banking = new URL('providers/banking/enable-banking.yml', root);
const headerOf = (source: string) => `// Generated from ${source} by \`npm run generate\`. Never edited by hand.\n\n`;

interface Output {
  /** Below the root of the repository. */
  file: string;
  text: string;
}

const pages = [
  { file: 'docs/guides/mocking.md', parts: [{ part: 'states', text: statesTable() }] },
  { file: 'docs/operating/troubleshooting.md', parts: [{ part: 'conditions', text: conditionSections() }] },
  ...settingsTables,
];

const yaml = await readFile(contract);
const contractText = await generatedContract(yaml);
// Not from the committed file, which is stale until this command has written it.
const { document }: GeneratedContract = JSON.parse(contractText);

const outputs: Output[] = [
  {
    file: 'generated/openapi.d.ts',
    text: headerOf('openapi.yaml') + astToString(await openapiTypescript(contract)),
  },
  {
    file: 'generated/enable-banking.d.ts',
    text: headerOf('providers/banking/enable-banking.yml') + astToString(await openapiTypescript(banking)),
  },
  { file: 'generated/contract.json', text: contractText },
  { file: 'examples/postman/tenant-screening.postman_collection.json', text: await postmanCollection() },
  { file: 'docs/monitoring/alerts.yaml', text: alertRules() },
  ...(await clientPackages(contractOf({ document, yaml }), contract)),
  ...(await Promise.all(
    pages.map(async ({ file, parts }) => ({ file, text: await withParts(new URL(file, root), parts) })),
  )),
];

for (const { file, text } of outputs) {
  const committed = await readFile(new URL(file, root), 'utf8').catch(() => '');
  if (committed === text) continue;
  if (!values.check) await writeFile(new URL(file, root), text);
  else {
    console.error(`${file} is stale: run \`npm run generate\` and commit the result.`);
    process.exitCode = 1;
  }
}
