import { isDeepStrictEqual } from 'node:util';
import type { NamedExample } from './named-examples.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/;
/** Only the path is alike everywhere: the host is that of the service, the last step is a token. */
const LINK = /^https?:\/\/[^/]+(\/.+\/)[0-9a-f-]{36}[.][\w-]{43}$/;

/** The fields whose value nobody can know beforehand, and the form it must have all the same. */
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
};

/** What an answer has different from an example, value by value, or null. */
export function differenceFrom({ status, value }: NamedExample, answered: number, text: string): string | null {
  const [shown, seen] = [
    { status, body: value },
    { status: answered, body: JSON.parse(text) },
  ].map(comparable);
  return differences(seen, shown).join('; ') || null;
}

function differences(seen: unknown, shown: unknown, path: string[] = []): string[] {
  if (isDeepStrictEqual(seen, shown)) return [];
  const [ours, theirs] = [fieldsOf(seen), fieldsOf(shown)];
  if (!ours || !theirs)
    return [`${path.join('.')} is ${JSON.stringify(seen)}, the example shows ${JSON.stringify(shown)}`];
  const keys = new Set([...ours.keys(), ...theirs.keys()]);
  return [...keys].flatMap((key) => differences(ours.get(key), theirs.get(key), [...path, key]));
}

function fieldsOf(value: unknown): Map<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}

/** The same with each unknowable value replaced by its name; a link keeps its path. */
export function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner) => {
    const form = forms[key];
    if (typeof inner !== 'string' || !form) return inner;
    const [match, kept = ''] = form.exec(inner) ?? [];
    return match === undefined ? inner : `${kept}<${key}>`;
  });
}
