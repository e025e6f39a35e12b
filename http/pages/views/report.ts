import { type Html, html, isolated } from '../../../core/html.ts';
import type { MarkStrength, ReportContent, ReportDocument, ReportPerson } from '../../../core/reports/content.ts';
import {
  cautionLine,
  contradictionLines,
  givenLine,
  incomeLines,
  type Line,
  overviewLines,
  personHeading,
  personLines,
  pictureLine,
  uncheckedLines,
} from '../../../core/reports/in-words.ts';
import { readLanguage } from '../../../core/texts/languages.ts';
import { type ReportTexts, reportTextsOf } from '../../../core/texts/report-texts.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { UnmarkedPage } from './page.ts';

const MARKS: Record<MarkStrength, string> = { strong: '#b01e28', medium: '#855000', context: '#43536b' };

export interface ReportView {
  content: ReportContent;
  viewer: string;
  /** When the link ends. */
  end: string;
  id: string;
  pages: number;
  file: string;
  verify: string;
  /** The address of a picture, by the places of its person and document and its page. */
  picture: (person: number, document: number, page: number) => string;
}

/** A report as a page, for someone with whom it is shared. */
export function reportPage(page: Texts, t: ReportTexts, view: ReportView): UnmarkedPage {
  const { content, viewer, end, id, pages, file, verify, picture } = view;
  const title = t.text('report.of', { title: content.application.title || content.application.id });
  return {
    t: page,
    title,
    isFixed: true,
    main: html`<h1>${title}</h1>
<p class="lead">${t.rich('report.made', { at: new Date(content.madeAt), viewer })}</p>
<p class="note">${t.rich('report.shared', { viewer, end: new Date(end) })}</p>
<p class="actions"><a class="button" href="${file}">${t.text('report.download')} (${pages})</a></p>
<section class="remark"><h2>${t.text('report.decides')}</h2><p>${t.rich('report.decides-text', { landlord: content.landlord })}</p></section>
<section><h2>${t.text('report.overview')}</h2>${facts(overviewLines(t, content))}</section>
${content.people.map((person, place) => personSection(t, person, (document, page) => picture(place, document, page)))}
<section><h2>${t.text('report.seal')}</h2><p>${t.text('report.seal-text')}</p>
${facts([[t.text('report.number'), id]])}<p><a href="${verify}">${t.text('report.verify')}</a></p></section>`,
  };
}

function facts(lines: readonly Line[]): Html {
  return html`<dl class="facts">${lines.map(([label, value]) => html`<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>`)}</dl>`;
}

function items(lines: readonly string[], kind = ''): Html | undefined {
  return lines.length === 0
    ? undefined
    : html`<ul class="report ${kind}">${lines.map((line) => html`<li>${isolated(line)}</li>`)}</ul>`;
}

function personSection(
  t: ReportTexts,
  person: ReportPerson,
  picture: (document: number, page: number) => string,
): Html {
  const { income, agreements, documents } = person;
  const written = agreements.map(({ what, at, text }) => `${t.text(`report.${what}`)}, ${t.day(at)}: ${text}`);
  const hasFindings = documents.some(({ findings }) => findings.length > 0);
  return html`<section class="person"><h2>${isolated(personHeading(t, person))}</h2>
${facts(personLines(t, person))}
${items(incomeLines(t, person))}
${items(
  income.cautions.map((caution) => cautionLine(t, caution)),
  'cautions',
)}
${written.length > 0 ? html`<h3>${t.text('report.agreements')}</h3>${items(written)}` : undefined}
<h3>${t.text('report.contradictions')}</h3>${items(contradictionLines(t, person))}
<h3>${t.text('report.unchecked')}</h3>${items(uncheckedLines(t, person))}
<h3>${t.text('report.documents')}</h3>${documents.length === 0 ? html`<p>${t.text('report.no-documents')}</p>` : undefined}
${hasFindings ? html`<p class="note">${t.text('report.findings-english')}</p>` : undefined}
${documents.map((document, place) => documentPart(t, document, (page) => picture(place, page)))}</section>`;
}

function documentPart(t: ReportTexts, document: ReportDocument, picture: (page: number) => string): Html {
  const { name, outcome, reason, findings, more, skipped, pictures } = document;
  return html`<article class="paper ${outcome}"><h4>${isolated(name)}</h4>
<p class="note">${givenLine(t, document)}</p>
<p>${t.text(`report.outcome-${outcome}`)}${reason === null ? undefined : html` <span lang="en">${reason}</span>`}</p>
${findings.length > 0 ? html`<ol class="report">${findings.map(({ number, title, message }) => html`<li value="${number}" lang="en">${title}: ${isolated(message)}</li>`)}</ol>` : undefined}
${more > 0 ? html`<p>${t.text('report.more-findings', { count: more })}</p>` : undefined}
${skipped > 0 ? html`<p class="note">${t.text('report.skipped', { count: skipped })}</p>` : undefined}
${pictures.map((one) => figure(pictureLine(t, document, one), one, picture(one.page)))}</article>`;
}

/** Marks are attributes, because the page's policy allows no inline style. */
function figure(line: string, { width, height, marks }: ReportDocument['pictures'][number], source: string): Html {
  const radius = width / 58;
  const drawn = marks.map(({ number, strength, box }) => {
    const colour = MARKS[strength];
    const [x, y] = [Math.max(radius, box.x - radius * 1.2), box.y + Math.min(box.height / 2, radius * 2)];
    return html`<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="${colour}" fill-opacity="0.08" stroke="${colour}" stroke-width="${width / 300}"/><circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/><text x="${x}" y="${y}" dy="0.36em" font-size="${radius * 1.35}" fill="#ffffff" font-family="sans-serif" font-weight="700" text-anchor="middle">${number}</text>`;
  });
  return html`<figure class="page"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${line}"><image href="${source}" width="${width}" height="${height}"/>${drawn}</svg><figcaption>${isolated(line)}</figcaption></figure>`;
}

export function reportPreparingPage(page: Texts, t: ReportTexts, watches: string): UnmarkedPage {
  return {
    t: page,
    title: t.text('report.preparing'),
    watches,
    isFixed: true,
    main: html`<h1>${t.text('report.preparing')}</h1><p role="status">${t.text('report.preparing-text')}</p>`,
  };
}

/** For a link that is unknown, expired or revoked: the same page. */
export function reportGonePage(page: Texts): UnmarkedPage {
  const t = reportTextsOf(readLanguage(page.language) ?? 'en');
  return {
    t: page,
    title: t.text('report.gone'),
    main: html`<h1>${t.text('report.gone')}</h1><p>${t.text('report.gone-text')}</p>`,
  };
}

export interface VerifyView {
  action: string;
  /** What was asked; empty before. */
  asked: string;
  found: { id: string; sha256: string; certificate: string; at: string } | undefined;
}

/** What the service knows of a report, without a word about people. */
export function verifyPage(page: Texts, t: ReportTexts, { action, asked, found }: VerifyView): UnmarkedPage {
  const answer = found
    ? html`<p role="status"><strong>${t.text('report.verify-known', { at: new Date(found.at) })}</strong></p>${facts([
        [t.text('report.number'), found.id],
        [t.text('report.file-digest'), found.sha256],
        [t.text('report.certificate'), found.certificate],
      ])}`
    : html`<p role="status"><strong>${t.text('report.verify-unknown')}</strong></p>`;
  return {
    t: page,
    title: t.text('report.verify'),
    main: html`<h1>${t.text('report.verify')}</h1><p class="lead">${t.text('report.verify-text')}</p>
${asked === '' ? undefined : answer}
<form method="get" action="${action}"><p><label for="report">${t.text('report.verify-field')}</label>
<input id="report" name="report" value="${asked}" maxlength="64" autocomplete="off" spellcheck="false"></p>
<p class="actions"><button>${t.text('report.verify-button')}</button></p></form>`,
  };
}
