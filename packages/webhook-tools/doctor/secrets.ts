import { PREFIX, type Reading, readings } from '../signatures.ts';
import { type Finding, fault } from './finding.ts';

/** The keys of a repaired secret, and what was wrong with it. */
export interface SecretVariant {
  keys: Buffer[];
  changes: Finding[];
}

type Words = readonly [code: string, found: string, why: string];
type Repair = (secret: string) => string | undefined;

const GIVE = 'Give the receiver the secret exactly as it was registered.';

const repairs: readonly (readonly [Repair, ...Words])[] = [
  [
    (secret) => secret.replace(/(?<![\r\n])[\r\n]+$/, ''),
    'secret-newline',
    'A line break ends the secret.',
    'A file, echo or a secret store added it.',
  ],
  [(secret) => secret.trim(), 'secret-whitespace', 'White space surrounds the secret.', 'It was copied with it.'],
  [
    (secret) => secret.replace(/\\[rn]/g, ''),
    'secret-newline-escaped',
    'The secret holds the two characters \\n.',
    'A settings file wrote a line break this way.',
  ],
  [
    (secret) => /^(["'`])(.*)\1$/s.exec(secret)?.[2],
    'secret-quoted',
    'The secret is in quotes.',
    'Not every reader of settings (Docker’s --env-file, systemd, a YAML template) removes them.',
  ],
  [
    (secret) => secret.replace(/^(export\s+)?[A-Z][A-Z0-9_]*\s*[=:]\s*/i, ''),
    'secret-with-its-name',
    'The name of the variable precedes the secret.',
    'The whole line was pasted, such as WEBHOOK_SECRET=….',
  ],
  [
    (secret) => secret.replace(/^v1[,=]\s*/, ''),
    'secret-with-v1',
    'v1, precedes the secret.',
    'v1, belongs to signatures, not to secrets.',
  ],
  [
    (secret) => secret.replace(/^(whsec_){2,}/i, PREFIX),
    'secret-prefix-doubled',
    'whsec_ precedes the secret more than once.',
    'A program added it to a secret that already had it.',
  ],
  [
    (secret) => secret.replace(/^whsec[_-]/i, PREFIX),
    'secret-prefix-case',
    'The prefix of the secret is not written whsec_.',
    'Libraries recognize only whsec_, in lower case.',
  ],
  [unescaped, 'secret-url-encoded', 'The secret is URL-encoded.', 'It was copied from a URL or a form.'],
  [
    inCommonAlphabet,
    'secret-base64url',
    'The secret is in the alphabet for URLs (- and _).',
    'Something re-encoded it; no public library decodes it.',
  ],
  [
    (secret) => (secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : PREFIX + secret),
    'secret-prefix',
    'whsec_ was added or removed.',
    'It belongs to the secret if it was registered with it, and only then.',
  ],
];

/** Repairing longer text would produce too many variants. */
const MAX_REPAIRS = 3;

/** Possible intended secrets, the simplest repair first, without the secret as given. */
export function secretVariants(given: string): SecretVariant[] {
  const mended: Mended[] = [{ secret: given, changes: [] }];
  const seen = new Set([given]);
  for (const { secret, changes } of mended) {
    if (changes.length === MAX_REPAIRS) continue;
    for (const next of repairsOf(secret)) {
      if (seen.has(next.secret)) continue;
      seen.add(next.secret);
      mended.push({ secret: next.secret, changes: [...changes, ...next.changes] });
    }
  }
  const repaired = mended.slice(1).map(({ secret, changes }) => ({ keys: keysOf(secret), changes }));
  const misread = mended.flatMap(({ secret, changes }) =>
    otherReadings(secret).map(({ key, how }) => ({ keys: [key], changes: [...changes, how] })),
  );
  return [...repaired, ...misread].sort((one, other) => unlikeliness(one) - unlikeliness(other));
}

/** The prefix rarely matters, so another cause is more likely. */
function unlikeliness({ changes }: SecretVariant): number {
  return changes.length + (changes.some(({ code }) => code === 'secret-prefix') ? 0.5 : 0);
}

export function keysOf(secret: string): Buffer[] {
  return readings(secret).map(({ key }) => key);
}

interface Mended {
  secret: string;
  changes: Finding[];
}

function repairsOf(secret: string): Mended[] {
  return repairs.flatMap(([repair, ...words]) => {
    const mended = repair(secret);
    return mended && mended !== secret ? [{ secret: mended, changes: [fault(...words, GIVE)] }] : [];
  });
}

/** Keys that other programs derive from a secret. */
function otherReadings(secret: string): { key: Buffer; how: Finding }[] {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const made: [Buffer, string][] = [
    [Buffer.from(secret), 'all its characters'],
    [Buffer.from(text), 'its characters without whsec_'],
    [Buffer.from(text, 'base64'), 'what is left of it as base64 when other characters are passed over'],
    [Buffer.from(/^([0-9a-f]{2})+$/i.test(text) ? text : '', 'hex'), 'its hexadecimal digits'],
  ];
  const known = readings(secret);
  return made
    .filter(([key]) => key.length > 0 && !known.some((reading) => reading.key.equals(key)))
    .map(([key, what]) => ({ key, how: wrongReading(what, known) }));
}

function wrongReading(what: string, [right]: Reading[]): Finding {
  return fault(
    'wrong-reading',
    `The key of the signature is ${what}.`,
    `We sign with ${right?.as === 'base64' ? 'the decoded bytes of this secret' : 'all characters of this secret in UTF-8'}, so this came from a program that reads it otherwise.`,
    right ? howToRead(right.as) : GIVE,
  );
}

/** How to make a public library read the secret this way. */
export function howToRead(as: Reading['as']): string {
  return as === 'base64'
    ? 'JavaScript: new Webhook(secret); Python: Webhook(secret); Go: standardwebhooks.NewWebhook(secret); PHP: new \\StandardWebhooks\\Webhook($secret).'
    : "JavaScript: new Webhook(Buffer.from(secret), { format: 'raw' }); Python: Webhook(secret.encode()); Go: standardwebhooks.NewWebhookRaw([]byte(secret)); PHP: \\StandardWebhooks\\Webhook::fromRaw($secret).";
}

function unescaped(secret: string): string | undefined {
  try {
    return decodeURIComponent(secret);
  } catch {
    return undefined;
  }
}

/** In the standard base64 alphabet, with padding. */
function inCommonAlphabet(secret: string): string | undefined {
  const [, prefix = '', text = ''] = /^(whsec_)?([A-Za-z0-9_-]+=*)$/.exec(secret) ?? [];
  return /[-_]/.test(text) ? prefix + Buffer.from(text, 'base64url').toString('base64') : undefined;
}
