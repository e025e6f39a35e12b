import { type Html, html } from '../../../core/html.ts';
import { icons } from './drawings.ts';
import type { Page } from './page.ts';

/** Whether it is marked as made up depends on the environment. */
export type LinkPage = Omit<Page, 'simulated'>;

/** What a person sent that cannot be taken, and why. */
export interface Mistake {
  fault: string;
  sent: URLSearchParams;
}

/** A page on which nothing is left to do. @param name what the title of the window ends with */
export function statePage(title: string, picture: Html, text: Html, name?: string): LinkPage {
  return {
    title: name === undefined ? title : `${title} – ${name}`,
    main: html`<div class="state">${picture}<h1 id="heading" tabindex="-1">${title}</h1>
${text}</div>`,
  };
}

/** Text of somebody else, which has its own direction of writing. */
export function quoted(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** The day of a moment, in words. */
export function day(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));
}

/** The same for what was never there, what is gone, and what is no business of whoever looks. */
export function unknownPage(): LinkPage {
  const text = html`<p>Check that you opened the whole link. If it still does not work, ask whoever sent it to you for a new one.</p>`;
  return statePage('This link leads nowhere', icons.unknown, text);
}

/** We failed; nothing was decided. */
export function troublePage(): LinkPage {
  const text = html`<p>It is not your fault, and nothing is lost. Please open your link again in a moment.</p>`;
  return statePage('Something went wrong on our side', icons.trouble, text);
}
