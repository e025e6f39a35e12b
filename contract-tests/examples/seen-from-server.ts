import { type NamedExample, namedExamples, type Seen, titleOf } from '../../harness/contract/named-examples.ts';
import { described } from '../../harness/process/failures.ts';
import type { RawAnswer } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { bringKeysBack, takeKeysAway } from '../dredd/outage.ts';
import { applications } from './applications.ts';
import { authentication } from './authentication.ts';
import { differenceFrom } from './compare.ts';
import { everywhere } from './everywhere.ts';
import { participants } from './participants.ts';
import { propertyManagement } from './property-management.ts';
import { type Asked, type Scenarios, type Scene, startScene } from './scene.ts';
import { tenants } from './tenants.ts';
import { webhooks } from './webhooks.ts';

const scenarios: Scenarios = {
  ...authentication,
  ...applications,
  ...participants,
  ...tenants,
  ...propertyManagement,
  ...webhooks,
};

/** Scenarios without an example in the contract. */
export function idleScenarios(): string[] {
  const titles = namedExamples.map(titleOf);
  const idle = Object.keys(scenarios).filter((title) => !titles.includes(title));
  return [
    ...idle,
    ...Object.keys(everywhere).filter((ending) => !titles.some((title) => title.endsWith(` ${ending}`))),
  ];
}

/** Brings a real service into the state of each example and compares its answer, on the database of this run. */
export async function seeFromServer(): Promise<Seen> {
  const test = await startTestService({ RUN_WORKERS: 'false' });
  const seen: Seen = {};
  try {
    for (const example of namedExamples) seen[titleOf(example)] = await faultOf(test, example);
  } finally {
    await test.stop();
  }
  return seen;
}

async function faultOf(test: TestService, example: NamedExample): Promise<string | null> {
  const title = titleOf(example);
  const scenario = scenarios[title] ?? everywhere[`${example.status} ${example.name}`];
  if (!scenario) return 'no scenario in contract-tests/examples brings it about';
  try {
    const scene = await startScene(test);
    const asked = await scenario(scene, example);
    const answer = await answerTo(scene, example, asked);
    const difference = differenceFrom(example, answer);
    return difference && answer.status !== example.status ? `${difference}; it was ${described(answer)}` : difference;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Simulates an outage for unexpected failures. */
async function answerTo(
  { test, client }: Scene,
  { operation, status }: NamedExample,
  asked: Asked,
): Promise<RawAnswer> {
  const { params = {}, query = '', body, text, headers } = asked;
  const path = operation.template.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'any') + query;
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const request = {
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json', ...headers },
    ...(payload === undefined ? {} : { body: payload }),
  };
  if (status === 500) await takeKeysAway(test);
  try {
    return await client.raw(operation.method, path, request);
  } finally {
    if (status === 500) await bringKeysBack(test);
  }
}
