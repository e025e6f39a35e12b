import { parsedJson } from './bodies.ts';
import { type Finding, fault, note } from './finding.ts';
import type { HeaderList } from './headers.ts';
import { secretVariants } from './secrets.ts';

const RAW = 'Verify the raw bytes as they arrived, and parse afterwards.';

/** What is suspicious about the body when no signature fits. */
export function bodySuspicions(body: Buffer, headers: HeaderList): Finding[] {
  const text = body.toString().trim();
  const length = Number(headers.find(([name]) => /^(http_)?content[-_]length$/i.test(name.trim()))?.[1] ?? Number.NaN);
  if (body.length === 0)
    return [fault('body-empty', 'The body is empty.', 'Something read the request before the receiver did.', RAW)];
  if (text.includes('[object Object]'))
    return [fault('body-object', 'The body is [object Object].', 'An object was written as text.', RAW)];
  if (/^\{\s*'/.test(text) || /^(array|map|stdClass)\b|^\{\w+=/i.test(text))
    return [
      fault('body-printed', 'The body is a printed object, not JSON.', 'A program printed what it had parsed.', RAW),
    ];
  if (length > body.length) return [cut(`The body has ${body.length} bytes, and content-length says ${length}.`)];
  if (/^[{[]/.test(text) && parsedJson(body) === undefined) return [cut('The body is JSON that breaks off.')];
  if (text.includes('\ufffd'))
    return [
      fault('body-undecodable', 'Characters of the body were lost (\ufffd).', 'It was read in a wrong charset.', RAW),
    ];
  return [];
}

function cut(found: string): Finding {
  return fault(
    'body-truncated',
    found,
    'It was read only in part, or something has a limit.',
    'Read to the end of the request; check the limits of what is in front of the receiver.',
  );
}

/** What is suspicious about the secret when no signature fits. */
export function secretSuspicions(secret: string, signatures: readonly string[]): Finding[] {
  if (secret.trim() === '')
    return [
      fault(
        'secret-empty',
        'The secret given is empty.',
        'The variable is not set, or the file is empty.',
        'Give the receiver the secret with which this URL was registered.',
      ),
    ];
  const code = secret.trim().replace(/^v1,/, '');
  if (signatures.includes(`v1,${code}`) || (/^\s*v1,/.test(secret) && code.length === 44))
    return [
      fault(
        'secret-is-a-signature',
        'The secret given is a signature.',
        'It was copied from webhook-signature. Signatures change with each attempt; the secret stays.',
        'Use the secret with which this URL was registered.',
      ),
    ];
  const simple = secretVariants(secret).flatMap(({ changes: [first, ...more] }) =>
    first && more.length === 0 ? [first] : [],
  );
  return simple
    .filter((change) => !['secret-prefix', 'wrong-reading'].includes(change.code))
    .map(({ code: name, found, why, fix }) => note(name, found, why, fix));
}
