import * as encodings from './encodings.ts';
import { type Finding, fault } from './finding.ts';

/** A possible original body, and the changes that turned it into the received one. */
export interface BodyVariant {
  body: Buffer;
  changes: Finding[];
}

const RAW = 'Verify the raw bytes as they arrived, and parse afterwards.';

type Undo = (body: Buffer) => Uint8Array | string | undefined;
type Words = readonly [code: string, found: string, why: string];

const reversals: readonly (readonly [Undo, ...Words])[] = [
  [
    encodings.withoutMark,
    'body-bom',
    'The body begins with a byte order mark.',
    'An editor or a program put it there.',
  ],
  [
    encodings.trimmed,
    'body-whitespace',
    'Spaces or line breaks surround the body.',
    'echo, an editor or a log added them.',
  ],
  [
    encodings.lineFeeds,
    'body-line-ends',
    'Its line breaks were changed to CR LF.',
    'A text mode or a program for Windows rewrote them.',
  ],
  [
    encodings.fromUtf16,
    'body-utf-16',
    'The body is in UTF-16.',
    'We send UTF-8; PowerShell, .NET or Java wrote its own strings.',
  ],
  [
    encodings.fromLatin1,
    'body-latin-1',
    'The body is in Latin-1.',
    'We send UTF-8; something wrote it in another charset.',
  ],
  [
    encodings.encodedOnce,
    'body-encoded-twice',
    'Characters outside ASCII were encoded twice.',
    'UTF-8 was read as Latin-1, then written as UTF-8.',
  ],
  [
    encodings.otherNormalForm,
    'body-normalised',
    'Accents were composed or decomposed.',
    'Something normalised the text (NFC or NFD).',
  ],
  [encodings.notUrlEncoded, 'body-url-encoded', 'The body is URL-encoded.', 'It was taken for a form; we send JSON.'],
  [
    encodings.fromBase64,
    'body-base64',
    'The body is in base64.',
    'Some gateways encode bodies, such as AWS API Gateway (isBase64Encoded).',
  ],
  [
    encodings.insideString,
    'body-in-a-string',
    'The body is a JSON string that holds the JSON.',
    'It was serialised twice.',
  ],
  [
    encodings.insideLiteral,
    'body-in-a-literal',
    "The body is written as b'…'.",
    'str() of bytes in Python gives this.',
  ],
  [encodings.notHtml, 'body-html-escaped', 'Its quotes are written as &quot;.', 'Something escaped it for a page.'],
];

/** Possible original bodies, the simplest change first, without the body as received. */
export function bodyVariants(body: Buffer): BodyVariant[] {
  const decoded = reversals.flatMap(([undo, ...words]) => {
    const before = bytes(undo(body));
    return before && !before.equals(body) ? [{ body: before, changes: [fault(...words, RAW)] }] : [];
  });
  const serialised = [{ body, changes: [] }, ...decoded].flatMap(reserialised);
  return [...decoded, ...serialised].sort((one, other) => one.changes.length - other.changes.length);
}

function bytes(undone: Uint8Array | string | undefined): Buffer | undefined {
  if (undone === undefined) return undefined;
  return typeof undone === 'string' ? Buffer.from(undone) : Buffer.from(undone);
}

/** The service sends the output of JSON.stringify, so serializing again restores all but the order of keys. */
function reserialised({ body, changes }: BodyVariant): BodyVariant[] {
  const value = parsedJson(body);
  if (value === undefined) return [];
  const before = Buffer.from(JSON.stringify(value));
  return before.equals(body) ? [] : [{ body: before, changes: [...changes, rewritten(body)] }];
}

/** Deeper nesting would overflow the stack when serialized. Bodies of the service are shallow. */
const DEEPEST = 100;

/** Undefined for invalid JSON, and for JSON that is too deep. */
export function parsedJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isDeeper(value, DEEPEST) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** The finding that the body was parsed and serialized again. */
export function rewritten(body: Buffer, ...otherMarks: string[]): Finding {
  const marks = [...otherMarks, ...marksOf(body.toString())];
  return fault(
    'body-reserialised',
    `The body was parsed and written again: ${marks.join(', ') || 'its spaces, escapes or numbers are written differently'}.`,
    'Its content is the same, but other bytes have another signature.',
    `${RAW} Express: express.raw(); Flask: request.get_data(); Django: request.body; Go: io.ReadAll(r.Body); PHP: php://input.`,
  );
}

function marksOf(text: string): string[] {
  const marks: [RegExp, string][] = [
    [/\n[ \t]*"/, 'it is indented'],
    [/^[^\n]*(?:":[ \t]|[}\]"\de],[ \t])/, 'spaces follow its colons or commas, as json.dumps in Python writes'],
    [/\\\//, 'its slashes are escaped, as json_encode in PHP writes'],
    [/\\u(?!00[01])/i, 'characters are written as \\uXXXX, as PHP, Python, Go or .NET do'],
  ];
  return marks.filter(([mark]) => mark.test(text)).map(([, words]) => words);
}
