import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kit } from './published-kit.ts';
import { run } from './tools.ts';

/** A reader's own test: prints the statuses of a valid and of an invalid request. */
const OWN_TEST = `const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const authorization = 'Basic ' + Buffer.from(CLIENT_ID + ':' + CLIENT_SECRET).toString('base64');
const valid = await fetch(BASE_URL + '/authenticate/token', { method: 'POST', headers: { authorization } });
const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
const invalid = await fetch(BASE_URL + '/applications/create-application', { method: 'POST', headers, body: '{"titel": ""}' });
console.log('statuses ' + valid.status + ' ' + invalid.status);
`;

/** The statuses that a reader's tests get through the published Prism recipe. */
export async function throughPrism({ folder, env, docsUrl }: Kit, baseUrl = env.BASE_URL): Promise<string> {
  await writeFile(join(folder, 'own-test.mjs'), OWN_TEST);
  const args = ['prism-proxy.sh', process.execPath, 'own-test.mjs'];
  const { output } = await run('sh', args, folder, { ...env, BASE_URL: baseUrl, DOCS_URL: docsUrl });
  return /^statuses (.*)$/m.exec(output)?.[1] ?? output;
}
