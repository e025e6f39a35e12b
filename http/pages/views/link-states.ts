import { type Html, html } from '../../../core/html.ts';
import { MAX_NAME_LENGTH, type Mistake as MistakeName } from '../../../core/rules/form-mistake.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Progress } from '../../../jobs/invitations/progress.ts';
import { icons } from './drawings.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';

/** How to render the page behind a link. */
export interface LinkView {
  t: Texts;
  /** The address of a page below it. */
  to(place: 'documents' | 'data' | 'part' | 'renew' | 'bank' | 'accessibility'): string;
  /** Whether people may connect their bank. */
  hasBanks: boolean;
  /** The address of a verification's page. */
  flow(kind: 'kyc' | 'eid', token: string): string;
  progress: Progress;
  /** The address that the person's phone opens. */
  phone: string;
}

/** A rejected form: what the person sent, and why it was refused. */
export interface Mistake {
  fault: MistakeName;
  sent: URLSearchParams;
}

/** Why a form was refused, in words. */
export function faultIn(t: Texts, fault: MistakeName | undefined): string | undefined {
  return fault && t.text(`fault.${fault}`, { most: MAX_NAME_LENGTH });
}

/** A final page, with nothing left to do. @param name the suffix of the window title */
export function statePage(t: Texts, title: string, picture: Html, text: Html, name?: string): UnmarkedPage {
  return {
    t,
    title: windowTitle(t, name === undefined ? [title] : [title, name]),
    main: html`<div class="state">${picture}<h1 id="heading" tabindex="-1">${title}</h1>
${text}</div>`,
  };
}

/** Offers a new link, on a page of its own: this page changes nothing. */
export function renewLink({ t, to }: LinkView): Html {
  return html`<p class="actions"><a class="button plain" href="${to('renew')}#step">${t.text('renew.title')}</a></p>`;
}

/** A page with a link to the data held about the person. */
export function withDataLink(page: UnmarkedPage, { t, to }: Pick<LinkView, 't' | 'to'>): UnmarkedPage {
  const link = (place: 'data' | 'accessibility', label: string) => html`<a href="${to(place)}#step">${label}</a>`;
  return {
    ...page,
    main: html`${page.main}\n<p class="note rights">${link('data', t.text('data.link'))}</p>
<p class="note rights">${link('accessibility', t.text('access.title'))}</p>`,
  };
}

/** Identical for absent, deleted and foreign links. */
export function unknownPage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('link.unknown.title'), icons.unknown, html`<p>${t.text('link.unknown.text')}</p>`);
}

/** An internal error; nothing was decided. */
export function troublePage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('link.trouble.title'), icons.trouble, html`<p>${t.text('link.trouble.text')}</p>`);
}

/** Hidden in a frame, which belongs to the embedding page: that continues from here. @param isOther whether it stands below another button */
export function homeLink(t: Texts, home: string, isOther = false): Html {
  return html`<p class="actions alone"><a class="button${isOther ? ' plain' : ''}" href="${home}">${t.text('page.home')}</a></p>`;
}
