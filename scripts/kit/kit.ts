/**
 * `npm run kit`: proves the kit of the guide "Contract tests in your CI" from outside, in a folder that holds nothing else.
 * 1. Dredd and Schemathesis find nothing in a sandbox; Schemathesis gets every operation to answer 2xx.
 * 2. The commands of the workflow files pass in an empty folder.
 * 3. A proxy plants one deviation after the other, and each tool finds each; the Prism recipe refuses one, and an invalid request.
 *    `-- --clean` leaves this out, `--only` chooses some.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readContract } from '../../core/contract.ts';
import { commandLine } from '../../harness/process/command-line.ts';
import { startDeviatingProxy } from './deviating-proxy.ts';
import { deviations } from './deviations.ts';
import { throughPrism } from './prism.ts';
import { type Kit, openPublishedKit } from './published-kit.ts';
import { dredd, openSchemathesis, type Tool } from './tools.ts';
import { runWorkflow } from './workflows.ts';

const { values } = commandLine('npm run kit [-- --clean | --only TITLE]', {
  options: { clean: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
let [passed, failed] = [0, 0];
const tools = [dredd, await openSchemathesis()];
const kit = await openPublishedKit();
try {
  for (const tool of tools) await runClean(tool, kit);
  tell(
    (await unreached(kit)).length === 0,
    `Schemathesis: 2xx from each operation ${(await unreached(kit)).join(', ')}`,
  );
  const { isClean, output } = await runWorkflow(kit);
  if (!isClean) console.log(output);
  tell(isClean, 'the workflow for GitHub, whose commands are those of GitLab, passes in an empty folder');
  if (!values.clean) await plantAll(kit);
} finally {
  await kit.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function runClean(tool: Tool, { folder, env }: Kit): Promise<void> {
  const { isClean, output } = await tool.run(folder, env);
  if (!isClean) console.log(output);
  const summary = /\d+ passing, .* total|.*generated.*passed.*/.exec(output)?.[0].trim() ?? '';
  tell(isClean, `${tool.name} finds nothing: ${summary}`);
}

interface Exchange {
  request: { method: string; url: string };
  response: { status: number };
}

/** The operations that never answered 2xx. */
async function unreached({ folder }: Kit): Promise<string[]> {
  const har: { log: { entries: Exchange[] } } = JSON.parse(await readFile(join(folder, 'exchanges.har'), 'utf8'));
  const reached = har.log.entries.filter(({ response }) => response.status >= 200 && response.status < 300);
  return readContract()
    .operations.filter(({ method, path }) => {
      const pattern = new RegExp(`/api/v1${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
      return !reached.some(({ request }) => request.method === method.toUpperCase() && pattern.test(request.url));
    })
    .map(({ id }) => id);
}

async function plantAll(kit: Kit): Promise<void> {
  const { service, folder, env } = kit;
  const proxy = await startDeviatingProxy(service.url);
  const through = { ...env, BASE_URL: env.BASE_URL.replace(service.url, proxy.url) };
  const unplanted = await throughPrism(kit, through.BASE_URL);
  tell(unplanted === '200 422', `Prism passes a valid request on and refuses an invalid one: ${unplanted}`);
  proxy.plant(deviations.find(({ operation }) => operation === 'generateToken'));
  const deviating = await throughPrism(kit, through.BASE_URL);
  tell(deviating === '500 422', `Prism refuses a deviating response: ${deviating}`);
  for (const deviation of deviations.filter(({ title }) => title.includes(values.only)))
    for (const tool of tools) {
      proxy.plant(deviation);
      const { isClean } = await tool.run(folder, through, true);
      const title = `${tool.name} finds ${deviation.title} (${deviation.operation} ${deviation.status})`;
      tell(!isClean && proxy.planted() > 0, `${title}${proxy.planted() > 0 ? '' : ': it was never planted'}`);
    }
  await proxy.stop();
}

function tell(isGood: boolean, title: string): void {
  if (isGood) passed++;
  else failed++;
  console.log(`${isGood ? '✔' : '✘'} ${title}`);
}
