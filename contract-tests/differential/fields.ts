import type { Call } from '../properties/curl.ts';
import type { World } from '../properties/world.ts';
import { type GoodCall, goodCalls } from './good-calls.ts';

/** Values that replace each field in turn. */
const values = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '1e300',
    '1e999',
    '12345678901234567890',
    '""',
    '" "',
    '"true"',
    '[]',
    '[[]]',
    '[null]',
  ],
  ...[
    '["a"]',
    '{}',
    '{"a":1}',
    '{"length":1}',
    '{"__proto__":null}',
    '"\\u0000"',
    '"\\ud800"',
    `"${'x'.repeat(3000)}"`,
    '"İß"',
    '"a..b@mail.example"',
    '"a@example"',
    '"https://a.example/<b>"',
    '"https://a.example/%zz"',
  ],
];

export async function* oddFields(world: World): AsyncGenerator<Call> {
  for await (const { call, body } of goodCalls(world))
    for (const [text, from, to] of fieldsOf(body))
      for (const value of values) yield { ...call, body: Buffer.from(text.slice(0, from) + value + text.slice(to)) };
}

/** The body as text, with the position of each value. */
function* fieldsOf(body: GoodCall['body']): Generator<[text: string, from: number, to: number]> {
  if (body === undefined) return;
  const text = JSON.stringify(body);
  for (const { index, 0: name } of text.matchAll(/"\w+":/g)) {
    const from = index + name.length;
    const length = [...endings(text.slice(from))].find((end) => isJson(text.slice(from, from + end)));
    if (length !== undefined) yield [text, from, from + length];
  }
}

function* endings(text: string): Generator<number> {
  for (const { index } of text.matchAll(/[,}\]]|$/g)) {
    yield index;
    yield index + 1;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
