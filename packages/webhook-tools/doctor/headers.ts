import { SIGNATURE_HEADERS } from '../signatures.ts';
import { type Finding, fault, good } from './finding.ts';
import { readSignatures, type Signatures } from './signature-header.ts';
import { readTimestamp } from './timestamp.ts';

/** Header names and values in order of receipt. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The signed values, as sent where known. */
export interface Signed extends Signatures {
  id: string;
  /** In seconds, as it is signed. */
  timestamp: string;
}

export interface HeaderReport {
  /** Undefined when one of the three headers is missing. */
  signed: Signed | undefined;
  findings: Finding[];
}

export function readHeaders(headers: HeaderList): HeaderReport {
  const findings: Finding[] = [];
  const [id, timestamp, signature] = SIGNATURE_HEADERS.map((name) => headerValue(headers, name, findings));
  if (!id || !timestamp || !signature) return { signed: undefined, findings: [missing(headers), ...findings] };
  const signatures = readSignatures(signature, findings);
  const seconds = readTimestamp(timestamp, findings);
  const isWellFormed = findings.every(({ level }) => level !== 'fault');
  if (isWellFormed) findings.unshift(good('headers-present', 'The three headers are present and well-formed.'));
  return { signed: { id, timestamp: seconds, ...signatures }, findings };
}

/** The id alone, to look up the delivery. */
export function webhookId(headers: HeaderList): string | undefined {
  return headerValue(headers, 'webhook-id', []);
}

function headerValue(headers: HeaderList, wanted: string, findings: Finding[]): string | undefined {
  const asSent = valuesNamed(headers, (name) => name.trim().toLowerCase() === wanted);
  const values = asSent.length > 0 ? asSent : valuesNamed(headers, (name) => plainName(name) === wanted);
  const [first] = values;
  if (first === undefined) return undefined;
  if (asSent.length === 0) findings.push(renamed(headers, wanted));
  if (new Set(values).size > 1) findings.push(repeated(wanted));
  // Servers join a repeated header this way.
  const value = (wanted === 'webhook-signature' ? [...new Set(values)].join(', ') : first).trim();
  const bare = /^(["'])(.*)\1,?$/.exec(value)?.[2];
  if (bare !== undefined) findings.push(quoted(wanted));
  return bare ?? value;
}

function valuesNamed(headers: HeaderList, isWanted: (name: string) => boolean): string[] {
  return headers.filter(([name, value]) => isWanted(name) && value.trim() !== '').map(([, value]) => value);
}

/** Undoes how CGI, PHP and WSGI rename headers. */
function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');
}

function missing(headers: HeaderList): Finding {
  const lacking = SIGNATURE_HEADERS.filter((name) => headerValue(headers, name, []) === undefined);
  if (lacking.length === SIGNATURE_HEADERS.length)
    return fault(
      'not-signed',
      'None of webhook-id, webhook-timestamp and webhook-signature is among the headers.',
      'The webhook was registered without a secret, or a proxy or framework dropped the headers, or this is not our delivery.',
      'Register the URL with a secret; let what is in front of the receiver pass on all three headers.',
    );
  return fault(
    'headers-missing',
    `${lacking.join(' and ')} ${lacking.length > 1 ? 'are' : 'is'} missing or empty.`,
    'We send all three or none, so something on the way dropped it: a proxy with a list of headers, a gateway, a framework.',
    'Let what is in front of the receiver pass on all three headers, unchanged.',
  );
}

function renamed(headers: HeaderList, wanted: string): Finding {
  const name = headers.find(([each]) => plainName(each) === wanted)?.[0] ?? wanted;
  return fault(
    'header-renamed',
    `${wanted} is called ${name.trim().slice(0, 60)}.`,
    'CGI, PHP ($_SERVER), WSGI and Rack rename headers this way; the public libraries look for the names as sent.',
    'Take the headers from the framework (getallheaders(), request.headers), or give the library the three under the names as sent.',
  );
}

function repeated(name: string): Finding {
  return fault(
    'header-repeated',
    `${name} is there more than once, with different values.`,
    'We send it once; something on the way added one. Which of them counts depends on the server: many join them with commas.',
    'Check what is in front of the receiver.',
  );
}

function quoted(name: string): Finding {
  return fault(
    'header-quoted',
    `The value of ${name} stands in quotes.`,
    'We send it without; the quotes belong to a log, a test or a program that wrote it as JSON.',
    'Remove the quotes before the library gets the value.',
  );
}
