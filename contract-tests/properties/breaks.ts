import fc from 'fast-check';
import { isValid } from '../../harness/contract/contract.ts';
import { formatOf } from './formats.ts';
import { resolve, type Schema } from './schema.ts';
import { Largest, repeated, textOf } from './texts.ts';
import { arrayOf } from './values.ts';

type Way = (string | number)[];
type Change = (valid: unknown) => unknown;

/** One constraint of a schema and the values that break only that constraint. */
export interface Break {
  keyword: string;
  /** The field that an answer must name; empty for the whole value. */
  field: Way;
  /** Whether an answer can name it at all. */
  named?: boolean;
  /** Changes a valid value as a whole. */
  changes: fc.Arbitrary<Change>;
}

/** Every constraint of a schema and its subschemas, each to be broken alone. New fields are included automatically. */
export function breaksOf(reference: Schema): Break[] {
  const schema = resolve(reference);
  return [...breaksOfType(schema), ...breaksWithin(schema)];
}

function breaksOfType(schema: Schema): Break[] {
  const types = replaced('type', wrongTypes(schema));
  const nothing = isValid(schema, null) ? [] : [replaced('null', fc.constant(null))];
  return [types, ...nothing, ...breaksOfText(schema), ...breaksOfNumber(schema), ...breaksOfSize(schema)];
}

const samples: unknown[] = [
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  'text',
  'true',
  '1',
  [],
  [null],
  ['text'],
  {},
  { length: 1 },
];

function wrongTypes({ type }: Schema): fc.Arbitrary<unknown> {
  if (type === undefined) throw new Error('Teach the generators a schema without a type.');
  // A shared object, so that Ajv compiles it once.
  const right = { type };
  const wrong = samples.filter((sample) => !isValid(right, sample));
  const unlike = fc.jsonValue().filter((value) => value !== null && !isValid(right, value));
  return fc.oneof(fc.constantFrom(...wrong), unlike.filter(isStorable));
}

/** Any value without NUL and lone surrogates, which no database stores and which have a separate break. */
function isStorable(value: unknown): boolean {
  return !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(value));
}

function breaksOfText(schema: Schema): Break[] {
  const { format, pattern, minLength = 0, maxLength } = schema;
  const found: Break[] = [];
  if (schema.enum) found.push(replaced('enum', otherThan(schema, textOf(0, 30))));
  if (format !== undefined) {
    const limit = { type: 'string', format };
    const near = fc.constantFrom(...formatOf(format).nearMisses);
    found.push(replaced('format', otherThan(limit, fc.oneof(near, textOf(minLength, maxLength ?? 100)))));
  }
  if (pattern !== undefined)
    found.push(replaced('pattern', otherThan({ type: 'string', pattern }, textOf(minLength, maxLength ?? 100))));
  if (minLength > 0) found.push(replaced('minLength', unitsOf(fc.integer({ min: 0, max: minLength - 1 }))));
  if (maxLength !== undefined) found.push(replaced('maxLength', tooLong(maxLength, format)));
  return found;
}

/** Longer by one code point, by some or by many; in the given format, if there is one. */
function tooLong(maxLength: number, format: string | undefined): fc.Arbitrary<string> {
  const surplus = fc.oneof(
    { withCrossShrink: true },
    fc.constant(1),
    fc.integer({ min: 2, max: 50 }),
    new Largest(2, 5000),
  );
  if (format === undefined) return unitsOf(surplus.map((more) => maxLength + more));
  const padded = (text: string, length: number) => 'a'.repeat(Math.max(0, length - text.length)) + text;
  return fc.tuple(formatOf(format).valid(maxLength), surplus).map(([text, more]) => padded(text, maxLength + more));
}

function unitsOf(length: fc.Arbitrary<number>): fc.Arbitrary<string> {
  return fc.tuple(repeated(), length).map(([unit, count]) => unit.repeat(count));
}

function otherThan(schema: Schema, texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return texts.filter((text) => !isValid(schema, text));
}

function breaksOfNumber({ type, minimum, maximum }: Schema): Break[] {
  const beyond = fc.integer({ min: 1, max: 1000 });
  return [
    ...(type === 'integer' ? [replaced('integer', fc.constantFrom(0.5, -1.5, 1e-9))] : []),
    ...(minimum === undefined
      ? []
      : [
          replaced(
            'minimum',
            beyond.map((less) => minimum - less),
          ),
        ]),
    ...(maximum === undefined
      ? []
      : [
          replaced(
            'maximum',
            beyond.map((more) => maximum + more),
          ),
        ]),
  ];
}

function breaksOfSize(schema: Schema): Break[] {
  const { minItems = 0, maxItems } = schema;
  return [
    ...(minItems > 0 ? [replaced('minItems', arrayOf(schema, 0, minItems - 1))] : []),
    ...(maxItems === undefined ? [] : [replaced('maxItems', arrayOf(schema, maxItems + 1, maxItems + 5))]),
  ];
}

function breaksWithin({ properties = {}, required = [], additionalProperties, items }: Schema): Break[] {
  const missing = required.map((name) => ({
    keyword: 'required',
    field: [name],
    changes: fc.constant<Change>((value) =>
      Object.fromEntries(Object.entries(Object(value)).filter(([key]) => key !== name)),
    ),
  }));
  const surplus = additionalProperties === false ? surplusOf(Object.keys(properties)) : [];
  const fields = Object.entries(properties).flatMap(([name, field]) =>
    breaksOf(field).map((found) => within(name, found)),
  );
  return [...missing, ...surplus, ...fields, ...(items ? breaksOf(items).map((found) => within(0, found)) : [])];
}

/** A surplus field, with an unknown name, a name special to JavaScript, or an almost correct one. */
function surplusOf(names: string[]): Break[] {
  const near = names.flatMap((name) => [name.toUpperCase(), `${name} `, `${name}s`]);
  const special = ['__proto__', 'constructor', 'toString', 'id', '$ref', '~', 'a/b', ''];
  const exotic = fc.oneof(fc.constantFrom(...near, ...special), textOf(0, 20)).filter((name) => !names.includes(name));
  const put = (name: fc.Arbitrary<string>) =>
    fc.tuple(name, fc.jsonValue().filter(isStorable)).map(
      ([key, value]): Change =>
        (valid) => {
          const fields = Object.entries(Object(valid));
          // `fromEntries` makes an own field even of `__proto__`.
          return Object.fromEntries([...fields, [key, value]]);
        },
    );
  return [
    { keyword: 'surplus', field: ['surplus'], changes: put(fc.constant('surplus')) },
    { keyword: 'surplus of any name', field: [], named: false, changes: put(exotic) },
  ];
}

function replaced(keyword: string, values: fc.Arbitrary<unknown>): Break {
  return {
    keyword,
    field: [],
    changes: values.map(
      (value): Change =>
        () =>
          value,
    ),
  };
}

/** The same break one level deeper. A missing field is added. */
function within(step: string | number, found: Break): Break {
  const inner =
    (change: Change): Change =>
    (value) =>
      step === 0 && Array.isArray(value)
        ? [change(value[0]), ...value.slice(1)]
        : { ...Object(value), [step]: change(Object(value)[step]) };
  return { ...found, field: [step, ...found.field], changes: found.changes.map(inner) };
}
