import { type Html, html } from '../../../core/html.ts';
import { texts } from '../texts/documents.ts';
import { icons } from './drawings.ts';
import { journey, type Way } from './journey.ts';
import type { UnmarkedPage } from './page.ts';

/** How the page behind a link is shown. */
export interface LinkView {
  token: string;
  /** How many documents its person handed in; 0 while they may not. */
  documents: number;
}

/** A rejected form: what the person sent, and why it was refused. */
export interface Mistake {
  fault: string;
  sent: URLSearchParams;
}

/** A final page, with nothing left to do. @param name suffix of the window title */
export function statePage(title: string, picture: Html, text: Html, name?: string): UnmarkedPage {
  return {
    title: name === undefined ? title : `${title} – ${name}`,
    main: html`<div class="state">${picture}<h1 id="heading" tabindex="-1">${title}</h1>
${text}</div>`,
  };
}

/** A page with what is done and what is missing above its content. */
export function underWay(page: UnmarkedPage, way: Way): UnmarkedPage {
  return { ...page, main: html`${journey(way, way.documents === undefined ? way.first : 'documents')}\n${page.main}` };
}

/** What a person does next, on a page below the one behind their link. @param documents how many they handed in */
export function uploadStep(token: string, documents: number): Html {
  const label = documents > 0 ? texts.change : texts.next;
  const isDone = documents > 0 ? html` plain` : undefined;
  return html`<p class="actions"><a class="button${isDone}" href="./${token}/documents#step">${label}</a></p>`;
}

/** The day of a moment, in words. */
export function day(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));
}

/** Identical for absent, deleted and foreign links. */
export function unknownPage(): UnmarkedPage {
  const text = html`<p>Check that you opened the whole link. If it still does not work, ask whoever sent it to you for a new one.</p>`;
  return statePage('This link leads nowhere', icons.unknown, text);
}

/** An internal error; nothing was decided. */
export function troublePage(): UnmarkedPage {
  const text = html`<p>It is not your fault, and nothing is lost. Please open your link again in a moment.</p>`;
  return statePage('Something went wrong on our side', icons.trouble, text);
}
