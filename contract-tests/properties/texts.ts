import fc from 'fast-check';

/** Texts that often break code. Each is valid wherever only a length is required. */
const nasty = [
  '𝄞',
  '😀',
  'e\u0301',
  'ñ',
  'שלום',
  '\u202e',
  '👩‍👩‍👧',
  'Z\u0351\u036b\u0343',
  "'",
  '"',
  '\\',
  '`',
  "' or '1'='1",
  '"; drop table participants; --',
  '%',
  '_',
  '%00',
  '%zz',
  '../..',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\u0001',
  '\r\n',
  '\t',
  ' ',
  '\u2028',
  '\ufeff',
  '\uffff',
  '\u{10ffff}',
  'null',
  '0',
  '__proto__',
  'İ',
  'ß',
];

/** The length of texts without a limit in the contract: the smallest of the service's own (`core/settings/limit-settings.ts`). */
const LONG = 255;
/** The maximum length of short texts. */
const SHORT = 20;

/** Any text of this many code points that UTF-8 and both databases can store. */
export function textOf(minimum: number, maximum: number = LONG): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', ...nasty) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  );
  const short = fc
    .array(piece, { maxLength: SHORT })
    .map((pieces) => fitting(pieces.join('').replaceAll('\0', ''), minimum, maximum));
  const longest = fc.tuple(repeated(), new Largest(minimum, maximum)).map(([unit, length]) => unit.repeat(length));
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 10, arbitrary: short },
    { weight: 1, arbitrary: longest },
    { weight: 1, arbitrary: repeated().map((unit) => unit.repeat(minimum)) },
  );
}

/** An exact limit, which decreases only when a failure is shrunk. */
export class Largest extends fc.Arbitrary<number> {
  readonly maximum: number;
  readonly smaller: fc.Arbitrary<number>;

  constructor(minimum: number, maximum: number) {
    super();
    this.maximum = maximum;
    this.smaller = fc.integer({ min: minimum, max: maximum });
  }

  generate(): fc.Value<number> {
    return new fc.Value(this.maximum, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is number {
    return this.smaller.canShrinkWithoutContext(value);
  }

  shrink(value: number, context: unknown): fc.Stream<fc.Value<number>> {
    return this.smaller.shrink(value, context);
  }
}

/** One code point, repeated to reach an exact length. */
export function repeated(): fc.Arbitrary<string> {
  return fc.constantFrom('a', ' ', 'é', '€', '𝄞', '\u0301', '"');
}

function fitting(text: string, minimum: number, maximum: number): string {
  const characters = [...text].slice(0, maximum);
  return characters.join('') + 'a'.repeat(Math.max(0, minimum - characters.length));
}
