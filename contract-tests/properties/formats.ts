import fc from 'fast-check';

/** Generators for text formats: valid texts of a given length, and near misses. */
interface Format {
  valid: (maximum: number) => fc.Arbitrary<string>;
  nearMisses: string[];
}

const LETTERS = 'abcxyzABCXYZ0189';
const characters = (all: string, extent: { minLength?: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...all), ...extent });

const label = characters(LETTERS, { minLength: 1, maxLength: 10 });
const ending = fc.constantFrom('example', 'com', 'co.uk', 'museum', 'EXAMPLE');
const domain = fc
  .tuple(fc.array(fc.oneof(label, fc.constantFrom('a-b', '1', 'x-9-y')), { minLength: 1, maxLength: 3 }), ending)
  .map(([labels, last]) => [...labels, last].join('.'));

/** Every character that the format allows before the at sign. */
const ATOM = `${LETTERS}!#$%&'*+/=?^_\`{|}~-`;
const localPart = fc.oneof(
  fc
    .array(characters(ATOM, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 })
    .map((atoms) => atoms.join('.')),
  fc.constantFrom(
    'a',
    'Marta.Ruiz',
    'marta+tag',
    "o'hara",
    "'or'1'='1",
    '%zz',
    '%2F',
    'a/b',
    '?',
    '#',
    '__proto__',
    '--',
  ),
);
const LONGEST = 254;

function email(maximum: number): fc.Arbitrary<string> {
  const usual = fc.tuple(localPart, domain).map(([local, host]) => `${local}@${host}`);
  const longest = fc
    .tuple(fc.constantFrom('a', 'Z', '+', '%'), domain)
    .map(([unit, host]) => `${unit.repeat(Math.min(maximum, LONGEST) - host.length - 1)}@${host}`);
  return fc.oneof({ withCrossShrink: true }, { weight: 10, arbitrary: usual }, { weight: 1, arbitrary: longest });
}

/** Only usable addresses: public, http or https, without credentials. */
function uri(maximum: number): fc.Arbitrary<string> {
  const host = fc.oneof(domain, fc.constantFrom('8.8.8.8', '[2606:4700:4700::1111]', 'xn--exmple-cua.example'));
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
  const rest = fc.array(
    fc.constantFrom('/', 'a', '%20', '%00', '..', "'", '~', ':', '@', '//', ';', '+', '$&', '%C3%A9'),
    { maxLength: 12 },
  );
  const tail = fc.constantFrom('', '?', '?case=1&case=2', '?q=%22%27', '#part', '?a=/b?c#/d?');
  return fc
    .tuple(fc.constantFrom('https', 'http', 'HTTPS'), host, port, rest, tail)
    .map(([scheme, name, number, path, end]) =>
      `${scheme}://${name}${number === undefined ? '' : `:${number}`}/${path.join('')}${end}`.slice(0, maximum),
    );
}

const anyCase = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.boolean()).map(([lower, upper]) => (upper ? lower.toUpperCase() : lower));

const formats: Record<string, Format> = {
  email: {
    valid: email,
    nearMisses: [
      ...['', 'a', '@', 'a@', '@a.example', 'a@example', 'a b@mail.example', 'a@b@mail.example', 'a..b@mail.example'],
      ...[
        '.a@mail.example',
        'a.@mail.example',
        'ä@mail.example',
        'a@mäil.example',
        'a@mail.example.',
        'a@-mail.example',
      ],
      ...[
        '"a b"@mail.example',
        'a@[127.0.0.1]',
        'a@mail.example\n',
        ' a@mail.example',
        '<a@mail.example>',
        'a@mail..example',
      ],
    ],
  },
  uri: {
    valid: uri,
    nearMisses: [
      ...['', 'letting.example', '/hooks', '//letting.example/', 'https://a b/', 'https://exämple.example/'],
      ...[
        'https://letting.example/%zz',
        'https://[::1',
        'https://letting.example/<a>',
        '1https://a.example',
        '://a.example',
      ],
      ...['https://letting.example/\n', ' https://letting.example/', 'https://letting.example/é'],
    ],
  },
  uuid: {
    valid: () => anyCase(fc.uuid()),
    nearMisses: [
      ...['', '1', 'null', '7a1e0c562b9d4f6e9d3c8e5f4a3b2c1d', '7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1', "1' or '1'='1"],
      ...[
        '7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1dd',
        '7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1g',
        '{7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d}',
      ],
    ],
  },
  'date-time': {
    valid: () =>
      fc.date({ min: new Date(0), max: new Date('2999-12-31'), noInvalidDate: true }).map((day) => day.toISOString()),
    nearMisses: [
      '',
      '2026-03-02',
      '2026-03-02T09:15',
      '2026-13-02T09:15:27Z',
      '2026-02-30T09:15:27Z',
      '1772444403',
      'now',
    ],
  },
};

/** @throws for a format that the generators do not support */
export function formatOf(name: string): Format {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) throw new Error(`Teach the generators the format ${name}.`);
  return format;
}
