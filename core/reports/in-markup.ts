import { type Html, html, isolated } from '../html.ts';
import type { ReportTexts } from '../texts/report-texts.ts';
import type {
  MarkStrength,
  ReportContent,
  ReportDocument,
  ReportPerson,
  ReportPicture,
  ReportWords,
} from './content.ts';
import {
  cautionLine,
  contradictionLines,
  givenLine,
  hasEnglish,
  incomeLines,
  type Line,
  overviewLines,
  personHeading,
  personLines,
  pictureLine,
  uncheckedLines,
} from './in-words.ts';

/** A report as markup, for the page of a shared copy and for the back office. */

const MARKS: Record<MarkStrength, string> = { strong: '#b01e28', medium: '#855000', context: '#43536b' };

/** The address of a picture, by the places of its person and document and its page. */
export type PictureAddress = (person: number, document: number, page: number) => string;

/** What a report says, without its heading and its seal. */
export function reportMarkup(t: ReportTexts, content: ReportContent, picture: PictureAddress): Html {
  return html`<section class="remark"><h2>${t.text('report.decides')}</h2><p>${t.rich('report.decides-text', { landlord: content.landlord })}</p></section>
<section><h2>${t.text('report.overview')}</h2>${reportFacts(overviewLines(t, content))}</section>
${content.people.map((person, place) => personSection(t, person, (document, page) => picture(place, document, page)))}`;
}

/** The last segment of a picture's address. */
export const pictureName: PictureAddress = (person, document, page) => `${person}-${document}-${page}.jpg`;

/** Each picture with its name. */
export function picturesIn({ people }: ReportContent): [name: string, picture: ReportPicture][] {
  return people.flatMap(({ documents }, person) =>
    documents.flatMap(({ pictures }, document) =>
      pictures.map((picture): [string, ReportPicture] => [pictureName(person, document, picture.page), picture]),
    ),
  );
}

export function reportFacts(lines: readonly Line[]): Html {
  return html`<dl class="facts report-facts">${lines.map(([label, value]) => html`<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>`)}</dl>`;
}

export function reportItems(lines: readonly string[], kind = ''): Html | undefined {
  return lines.length === 0
    ? undefined
    : html`<ul class="report ${kind}">${lines.map((line) => html`<li>${isolated(line)}</li>`)}</ul>`;
}

/** What a check found, above its own words. */
function found({ message, english }: ReportWords): Html {
  return html`${isolated(message)}${english === undefined ? undefined : html`<p class="note" lang="en" dir="ltr">${isolated(english)}</p>`}`;
}

function personSection(
  t: ReportTexts,
  person: ReportPerson,
  picture: (document: number, page: number) => string,
): Html {
  const { income, agreements, documents } = person;
  const written = agreements.map(
    ({ what, at, text }) =>
      html`<details><summary>${t.text(`report.${what}`)}, ${t.day(at)}</summary><p>${isolated(text)}</p></details>`,
  );
  return html`<section class="person"><h2>${isolated(personHeading(t, person))}</h2>
${reportFacts(personLines(t, person))}
${reportItems(incomeLines(t, income))}
${reportItems(
  income.cautions.map((caution) => cautionLine(t, caution)),
  'cautions',
)}
${written.length > 0 ? html`<h3>${t.text('report.agreements')}</h3>${written}` : undefined}
<h3>${t.text('report.contradictions')}</h3><ul class="report">${contradictionLines(t, person).map((words) => html`<li>${found(words)}</li>`)}</ul>
<h3>${t.text('report.unchecked')}</h3>${reportItems(uncheckedLines(t, person))}
<h3>${t.text('report.documents')}</h3>${documents.length === 0 ? html`<p>${t.text('report.no-documents')}</p>` : undefined}
${hasEnglish(person) ? html`<p class="note">${t.text('report.findings-english')}</p>` : undefined}
${documents.map((document, place) => documentPart(t, document, (page) => picture(place, page)))}</section>`;
}

function documentPart(t: ReportTexts, document: ReportDocument, picture: (page: number) => string): Html {
  const { name, outcome, reason, findings, more, skipped, pictures } = document;
  return html`<article class="paper ${outcome}"><h4>${isolated(name)}</h4>
<p class="note">${givenLine(t, document)}</p>
<p>${t.text(`report.outcome-${outcome}`)}</p>
${reason === null ? undefined : html`<div>${found(reason)}</div>`}
${findings.length > 0 ? html`<ol class="report">${findings.map(({ number, title, ...words }) => html`<li value="${number}">${title}: ${found(words)}</li>`)}</ol>` : undefined}
${more > 0 ? html`<p>${t.text('report.more-findings', { count: more })}</p>` : undefined}
${skipped > 0 ? html`<p class="note">${t.text('report.skipped', { count: skipped })}</p>` : undefined}
${pictures.map((one) => figure(pictureLine(t, document, one), one, picture(one.page)))}</article>`;
}

/** Marks are attributes, because the page's policy allows no inline style. */
function figure(line: string, { width, height, marks }: ReportPicture, source: string): Html {
  const radius = width / 58;
  const drawn = marks.map(({ number, strength, box }) => {
    const colour = MARKS[strength];
    const [x, y] = [Math.max(radius, box.x - radius * 1.2), box.y + Math.min(box.height / 2, radius * 2)];
    return html`<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="${colour}" fill-opacity="0.08" stroke="${colour}" stroke-width="${width / 300}"/><circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/><text x="${x}" y="${y}" dy="0.36em" font-size="${radius * 1.35}" fill="#ffffff" font-family="sans-serif" font-weight="700" text-anchor="middle">${number}</text>`;
  });
  return html`<figure class="page"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${line}"><image href="${source}" width="${width}" height="${height}"/>${drawn}</svg><figcaption>${isolated(line)}</figcaption></figure>`;
}
