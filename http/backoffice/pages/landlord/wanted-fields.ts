import { type Html, html } from '../../../../core/html.ts';
import {
  ANY_DOCUMENT,
  MAX_AGE_MONTHS,
  MAX_COUNT,
  usualDocuments,
  type WantedDocument,
  type WantedKind,
  type WantedLists,
  wantedKinds,
  wantedOf,
} from '../../../../core/rules/wanted-documents.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import { textIn } from '../../query.ts';
import { choice, type Field } from '../../views/forms.ts';

/** The lists of documents that a landlord wants, as a form: what is usual, any document, or a number of each kind. */

type ListName = keyof WantedLists;

/** The choice of the numbers below it. */
const OWN = 'own';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

export function wantedField(t: DeskTexts, name: ListName, lists: WantedLists, language: string | null): Field {
  const isGuarantor = name === 'guarantor_documents';
  const wanted = wantedOf(lists, { isGuarantor }, language);
  const label = t.text(`settings.${name}`);
  const countries = Object.keys(usualDocuments).map(
    (code) => [code, t.text('settings.wanted-in', { country: t.region(code) })] as const,
  );
  const options = [
    ['', t.text(isGuarantor ? 'settings.wanted-same' : 'settings.wanted-usual')] as const,
    ...countries,
    [ANY_DOCUMENT, t.text('settings.wanted-any')] as const,
    [OWN, t.text('settings.wanted-own')] as const,
  ];
  const stored = lists[name];
  const kind = choice(name, label, options, stored === null || stored === ANY_DOCUMENT ? (stored ?? '') : OWN);
  const ordered = new Set([...wanted.map(({ type }) => type), ...wantedKinds]);
  const numberOptions = numberOptionsIn(t);
  const chosen = (kind: WantedKind) => wanted.find(({ type }) => type === kind);
  const numbers = [...ordered].flatMap((one) => numbersOf(t, numberOptions, name, one, chosen(one)));
  const now = t.rich(isGuarantor ? 'settings.wanted-of-guarantors' : 'settings.wanted-now', {
    names: inWords(t, wanted),
  });
  return {
    show: (refused): Html => html`<div class="wanted" role="group" aria-label="${label}">${kind.show(refused)}
<p class="help">${now}</p>
<div class="kinds">${numbers.map((field) => field.show(refused))}</div></div>`,
  };
}

type NumberOptions = ReturnType<typeof numberOptionsIn>;

/** The same for every kind: its words are formatted once. */
function numberOptionsIn(t: DeskTexts) {
  const counts = [0, ...upTo(MAX_COUNT)].map((number) => [String(number), t.number(number)] as const);
  const months = upTo(MAX_AGE_MONTHS).map(
    (number) => [String(number), t.text('settings.wanted-months', { months: number })] as const,
  );
  return { counts, ages: [['', t.text('settings.wanted-any-age')] as const, ...months] };
}

/** How many of a kind, and how old at most. */
function numbersOf(
  t: DeskTexts,
  { counts, ages }: NumberOptions,
  name: ListName,
  kind: WantedKind,
  chosen: WantedDocument | undefined,
): Field[] {
  const document = t.text(`document.${kind}`);
  const [count, age] = [String(chosen?.count ?? 0), String(chosen?.maxAgeMonths ?? '')];
  return [
    choice(countField(name, kind), t.text('settings.wanted-count', { document }), counts, count),
    choice(ageField(name, kind), t.text('settings.wanted-age', { document }), ages, age),
  ];
}

const countField = (name: ListName, kind: WantedKind) => `${name}-${kind}`;
const ageField = (name: ListName, kind: WantedKind) => `${name}-${kind}-months`;

/** The list that a form asks for, as landlords write it and in the order of its fields; undefined for the usual one. */
export function wantedIn(form: URLSearchParams, name: ListName): string | undefined {
  const given = textIn(form, name);
  if (given !== OWN) return given;
  const sent = [...form.keys()];
  const inOrder = wantedKinds.toSorted(
    (one, other) => sent.indexOf(countField(name, one)) - sent.indexOf(countField(name, other)),
  );
  const parts = inOrder.flatMap((kind) => {
    const count = textIn(form, countField(name, kind)) ?? '0';
    const months = textIn(form, ageField(name, kind));
    return count === '0' ? [] : [[kind, count, ...(months === undefined ? [] : [months])].join(':')];
  });
  return parts.join(', ');
}

function inWords(t: DeskTexts, wanted: readonly WantedDocument[]): string {
  if (wanted.length === 0) return t.text('settings.wanted-any');
  const words = ({ type, count, maxAgeMonths: months }: WantedDocument) => {
    const document = t.text(`document.${type}`);
    return months === undefined
      ? t.text('settings.wanted-one', { document, count })
      : t.text('settings.wanted-recent', { document, count, months });
  };
  return t.list(wanted.map(words));
}
