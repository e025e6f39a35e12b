import { expect } from 'chai';
import { REFUSALS } from '../../core/messages.ts';
import { componentSchema, document, isValid } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { type TestService, useService } from '../../harness/service/service.ts';
import { blocksOf, guideNames, readGuide } from './guide.ts';

databases('sqlite');

interface Example {
  where: string;
  value: object;
}

/** The JSON of all guides except lists: test vectors have their own test. */
const examples: Example[] = guideNames.flatMap((name) =>
  blocksOf(name)
    .filter(({ language }) => language === 'json')
    .map(({ text, heading }) => ({ where: `${name}, ${heading}`, value: JSON.parse(text) }))
    .filter(({ value }) => !Array.isArray(value)),
);

/** The schemas that an example may match. */
function candidates(value: object): string[] {
  const kind =
    'event' in value ? /Event$/ : 'status' in value ? /(Envelope|Error)$/ : /(Draft|Changes|Return|Registration)$/;
  return Object.keys(document.components.schemas).filter((name) => kind.test(name));
}

describe('the JSON in the guides', () => {
  for (const example of examples)
    it(`matches the schema of an event, an answer or a body: ${example.where}`, () => {
      const fitting = candidates(example.value).filter((name) => isValid(componentSchema(name), example.value));
      expect(fitting, `no schema fits ${JSON.stringify(example.value)}`).not.to.be.empty;
    });
});

/** Messages of refusals: code that starts a row or item and ends like a sentence, or is in an example. */
function quotedMessages(name: string): string[] {
  const inLists = [...readGuide(name).matchAll(/^(?:\||-) `([^`]+\.)`(?: \||\\$)/gm)].map(
    ([, message = '']) => message,
  );
  const inExamples = examples
    .filter(({ where, value }) => where.startsWith(`${name},`) && 'status' in value)
    .map(({ value }) => ('message' in value ? String(value.message) : ''));
  return [...inLists, ...inExamples];
}

/** Messages in the contract's examples. */
function messagesOfContract(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'status' in node && 'message' in node && typeof node.message === 'string' ? [node.message] : [];
  return [...own, ...Object.values(node).flatMap(messagesOfContract)];
}

describe('the messages in the guides', () => {
  let given: string[];
  const test = useService();
  before(async () => {
    given = await messagesOfRefusals(test);
  });

  for (const name of guideNames)
    it(`are the service’s, word for word: ${name}`, () => {
      const known = [...messagesOfContract(document), ...Object.values(REFUSALS), ...given];
      expect(quotedMessages(name).filter((message) => !known.includes(message))).to.deep.equal([]);
    });

  it('are the ones for requests that are unreadable or have an unknown path', () => {
    const quoted = guideNames.flatMap(quotedMessages);
    expect(given.filter((message) => !quoted.includes(message))).to.deep.equal([]);
  });
});

/** The service's answers to requests refused by the edge, most of which have no example in the contract. */
async function messagesOfRefusals({ alice, service }: TestService): Promise<string[]> {
  const authorization = `Bearer ${alice.token}`;
  const json = { authorization, 'content-type': 'application/json' };
  const create = '/applications/create-application';
  const answers = await Promise.all([
    alice.raw('POST', create, { headers: json, body: '{}' }),
    alice.raw('POST', create, { headers: json, body: '{"title":' }),
    alice.raw('POST', create, { headers: json }),
    alice.raw('POST', create, { headers: json, body: 'a'.repeat(200_000) }),
    alice.raw('POST', create, { headers: { authorization }, body: '{}' }),
    alice.raw('POST', '/property-management/workspaces', { headers: json }),
    alice.raw('GET', '/nothing', { headers: json }),
    alice.raw('GET', '/nothing', { headers: { ...json, cookie: 'a'.repeat(20_000) } }),
    alice.raw('POST', '/webhooks/create-webhook', { headers: json, body: '{"url":"https://bücher.example/"}' }),
    send(service.url, 'GET', '/verify/kyc/cut'),
  ]);
  return answers.map(({ text }) => JSON.parse(text).message);
}
