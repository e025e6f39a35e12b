import { type Html, html, isolated } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import type { Visit } from '../route.ts';

/** A cell: text, which is escaped, or markup. */
export type Cell = Html | string | number | null | undefined;

/** A column of a table: its name, and the cell of each row. */
export type Column<Row> = readonly [name: string, cellOf: (row: Row) => Cell];

/**
 * A table whose rows become cards on a narrow screen. The first column is the heading of its row.
 * @param empty what a table without rows says instead
 */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty?: string,
): Html | undefined {
  if (rows.length === 0) return empty === undefined ? undefined : html`<p class="lead">${empty}</p>`;
  const head = columns.map(([name]) => html`<th scope="col">${name}</th>`);
  const line = (row: Row) =>
    columns.map(([name, cellOf], index) =>
      index === 0
        ? html`<th scope="row">${shown(cellOf(row))}</th>`
        : html`<td data-label="${name}">${shown(cellOf(row))}</td>`,
    );
  return html`<table>
<caption class="sr">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${line(row)}</tr>\n`)}</tbody>
</table>`;
}

/** Names and values; null values are left out. */
export function facts(pairs: readonly (readonly [name: string, value: Cell])[]): Html {
  const given = pairs.filter(([, value]) => value !== null && value !== undefined);
  return html`<dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${shown(value)}</dd></div>`)}</dl>`;
}

function shown(cell: Cell): Html {
  if (cell === null || cell === undefined || cell === '') return html`<span class="soft">–</span>`;
  return typeof cell === 'object' ? cell : html`${cell}`;
}

export function link(to: string, text: Html | string): Html {
  return html`<a href="${to}">${text}</a>`;
}

/** A link to a page of the office; its text alone for visitors who may not open the page. */
export function linkIn({ to, may }: Pick<Visit, 'to' | 'may'>, path: string, text: Html | string): Html {
  return may('GET', path) ? link(to(path), text) : html`${text}`;
}

/** The way to the first page of a section, as shown above the pages below it. */
export function sectionLink(visit: Pick<Visit, 'to' | 'may' | 't'>, section: SectionName): Html {
  return linkIn(visit, section, visit.t.text(`section.${section}`));
}

type SectionName = 'applications' | 'deliveries' | 'keys' | 'members' | 'properties' | 'settings' | 'webhooks';

/** A link that leads to a form. */
export function wayTo({ to, may }: Pick<Visit, 'to' | 'may'>, path: string, text: string): Html | undefined {
  return may('GET', path) ? html`<p><a class="button" href="${to(path)}">${text}</a></p>` : undefined;
}

/** Words in English, such as a fault that a program reports. */
export function english(text: string | null | undefined): Html | null {
  return text == null ? null : html`<span lang="en">${isolated(text)}</span>`;
}

/** A technical word, such as the name of an event. */
export function code(text: string): Html;
export function code(text: string | null): Html | null;
export function code(text: string | null): Html | null {
  return text === null ? null : html`<code>${text}</code>`;
}

/**
 * An id of many characters: its end is shown, because ids of one minute begin alike. One click selects all of it, and focus shows it. Every id
 * on a page is shown by this function or `idLink`.
 */
export function shortId(text: string): Html {
  return idText(text, html` tabindex="0"`);
}

/** A link whose text is an id; the id alone for visitors who may not open the page. */
export function idLink(visit: Pick<Visit, 'to' | 'may'>, path: string, id: string): Html {
  return visit.may('GET', path) ? link(visit.to(path), idText(id)) : shortId(id);
}

function idText(text: string, focusable?: Html): Html {
  return html`<code class="id" title="${text}"${focusable}><bdi dir="ltr">${text}</bdi></code>`;
}

/** A moment in UTC, to the second. */
export function moment(iso: string): Html;
export function moment(iso: string | null): Html | null;
export function moment(iso: string | null): Html | null {
  if (iso === null) return null;
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}

const TONES: Record<string, 'good' | 'bad' | 'warn'> = {
  ...{ delivered: 'good', active: 'good', verified: 'good', succeeded: 'good', completed: 'good', accepted: 'good' },
  ...{ settled: 'good', affected: 'warn' },
  ...{ ok: 'good', sent: 'good', no_finding: 'good' },
  ...{ tampered: 'bad', suspicious: 'warn', inconclusive: 'warn' },
  ...{
    failed: 'bad',
    problem: 'bad',
    revoked: 'bad',
    expired: 'bad',
    rejected: 'bad',
    declined: 'bad',
    disabled: 'bad',
  },
  ...{ overdue: 'bad', due: 'warn', 'due soon': 'warn' },
  ...{ held: 'warn', paused: 'warn', failing: 'warn', warning: 'warn', expiring: 'warn', 'not checked': 'warn' },
};

/** A state as a coloured word; the colour carries no extra information. */
export function badge(state: string, words: string = state): Html {
  return html`<span class="badge ${TONES[state] ?? 'neutral'}">${words}</span>`;
}

/** A count with an upper limit. */
export function counted(t: DeskTexts, count: number, limit: number): string {
  return count >= limit ? t.text('count.or-more', { limit }) : t.text('count', { count });
}

/** A duration in the largest whole unit. */
export function duration(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ];
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** The link to the next page of a list. @param position of the last row, or undefined when there is no next page */
export function older(
  t: DeskTexts,
  here: string,
  query: URLSearchParams,
  position: string | undefined,
): Html | undefined {
  const newest = t.text('list.newest');
  const first = query.has('before') ? link(`${here}${withQuery(query, 'before', undefined)}`, newest) : undefined;
  const next =
    position === undefined
      ? undefined
      : html`<a href="${here}${withQuery(query, 'before', position)}" rel="next">${t.text('list.older')}</a>`;
  return first || next
    ? html`<nav class="pager" aria-label="${t.text('list.pages')}">${first}${next}</nav>`
    : undefined;
}

function withQuery(query: URLSearchParams, name: string, value: string | undefined): string {
  const others = new URLSearchParams(query);
  others.delete('notice');
  others.delete(name);
  if (value !== undefined) others.set(name, value);
  return others.size > 0 ? `?${others}` : '?';
}

/** The address of a property's page; identifiers are any text. */
export function propertyPath(propertyId: string): string {
  return `properties/${encodeURIComponent(propertyId)}`;
}
