import { isDeepStrictEqual } from 'node:util';
import type { NamedExample } from '../../harness/contract/named-examples.ts';
import type { RawAnswer } from '../../harness/service/client.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/;
/** Only the path is comparable: the host is the service's, the last segment is a token, and the mock's address points back to the mock. */
const LINK = /^https?:\/\/[^/]+(\/.+\/)[0-9a-f-]{36}[.][\w-]{43}(?:[?]redirect_url=http.+)?$/;

/** Fields with unpredictable values, and the format that they must have. */
const forms: Record<string, RegExp> = {
  application_id: UUID,
  property_id: UUID,
  workspace_id: UUID,
  id: UUID,
  tenant_id: UUID,
  document_id: UUID,
  verified_at: MOMENT,
  analysed_at: MOMENT,
  created_at: MOMENT,
  updated_at: MOMENT,
  access_token: /^[\w-]+[.][\w-]+[.][\w-]+$/,
  verification_url: LINK,
  verification_link: LINK,
  'x-request-id': UUID,
};

/** The differences between an answer and an example, in declared headers and body, or null. */
export function differenceFrom({ status, headers, value }: NamedExample, answer: RawAnswer): string | null {
  const declared = Object.fromEntries(Object.keys(headers).map((name) => [name, answer.headers[name]]));
  const seen = { status: answer.status, headers: declared, body: JSON.parse(answer.text) };
  return differences(seen, { status, headers, body: value }).join('; ') || null;
}

/** An actual value and the example's. */
type Pair = [seen: string, shown: string];

/** Where two values differ. Unpredictable values are compared by identity and order only. */
export function differences(seen: unknown, shown: unknown): string[] {
  const [moments, others]: [Pair[], Pair[]] = [[], []];
  const isForeseen = (form: RegExp, pair: Pair): boolean => {
    const [ours, theirs] = pair.map((text) => form.exec(text));
    if (!ours || !theirs || ours[1] !== theirs[1]) return false;
    const [before, clashes] = form === MOMENT ? ([moments, isReversed] as const) : ([others, isSplit] as const);
    before.push(pair);
    return !before.some((other) => clashes(pair, other));
  };
  const walk = (ours: unknown, theirs: unknown, path: string[]): string[] => {
    const [ourFields, theirFields] = [fieldsOf(ours), fieldsOf(theirs)];
    if (ourFields && theirFields) {
      const keys = new Set([...ourFields.keys(), ...theirFields.keys()]);
      return [...keys].flatMap((key) => walk(ourFields.get(key), theirFields.get(key), [...path, key]));
    }
    const form = forms[path.at(-1) ?? ''];
    const isText = typeof ours === 'string' && typeof theirs === 'string';
    if (form && isText ? isForeseen(form, [ours, theirs]) : isDeepStrictEqual(ours, theirs)) return [];
    return [`${path.join('.')} is ${JSON.stringify(ours)}, the example shows ${JSON.stringify(theirs)}`];
  };
  return walk(seen, shown, []);
}

/** Whether values that are equal on one side differ on the other. */
function isSplit([seen, shown]: Pair, [otherSeen, otherShown]: Pair): boolean {
  return (seen === otherSeen) !== (shown === otherShown);
}

function isReversed([seen, shown]: Pair, [otherSeen, otherShown]: Pair): boolean {
  return (seen < otherSeen && shown > otherShown) || (seen > otherSeen && shown < otherShown);
}

function fieldsOf(value: unknown): Map<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}
