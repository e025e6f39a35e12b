import { html } from '../../../core/html.ts';
import type { ReportContent } from '../../../core/reports/content.ts';
import { type PictureAddress, reportFacts, reportMarkup } from '../../../core/reports/in-markup.ts';
import { readLanguage } from '../../../core/texts/languages.ts';
import { type ReportTexts, reportTextsOf } from '../../../core/texts/report-texts.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { UnmarkedPage } from './page.ts';

export interface ReportView {
  content: ReportContent;
  viewer: string;
  /** When the link ends. */
  end: string;
  id: string;
  file: string;
  verify: string;
  picture: PictureAddress;
}

/** A report as a page, for someone with whom it is shared. */
export function reportPage(page: Texts, t: ReportTexts, view: ReportView): UnmarkedPage {
  const { content, viewer, end, id, file, verify, picture } = view;
  const title = t.text('report.of', { title: content.application.title || content.application.id });
  return {
    t: page,
    title,
    isFixed: true,
    main: html`<h1>${title}</h1>
<p class="lead">${t.rich('report.made', { at: new Date(content.madeAt), viewer })}</p>
<p class="note">${t.rich('report.shared', { viewer, end: new Date(end) })}</p>
<p class="actions"><a class="button" href="${file}">${t.text('report.download')}</a></p>
${reportMarkup(t, content, picture)}
<section><h2>${t.text('report.seal')}</h2><p>${t.text('report.seal-text')}</p>
${reportFacts([[t.text('report.number'), id]])}<p><a href="${verify}">${t.text('report.verify')}</a></p></section>`,
  };
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
    ? html`<p class="notice" role="status">${t.text('report.verify-known', { at: new Date(found.at) })}</p>${reportFacts(
        [
          [t.text('report.number'), found.id],
          [t.text('report.file-digest'), found.sha256],
          [t.text('report.certificate'), found.certificate],
        ],
      )}`
    : html`<p class="notice" role="status">${t.text('report.verify-unknown')}</p>`;
  return {
    t: page,
    title: t.text('report.verify'),
    main: html`<h1>${t.text('report.verify')}</h1><p class="lead">${t.text('report.verify-text')}</p>
${asked === '' ? undefined : answer}
<form method="get" action="${action}"><p><label for="report">${t.text('report.verify-field')}</label>
<input id="report" name="report" type="text" value="${asked}" maxlength="64" autocomplete="off" spellcheck="false"></p>
<p class="actions"><button>${t.text('report.verify-button')}</button></p></form>`,
  };
}
