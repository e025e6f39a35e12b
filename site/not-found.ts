import { REFERENCE } from './addresses.ts';
import type { Page } from './page.ts';

export const NOT_FOUND = '404.html';

/** The page for unknown addresses, on static hosts and in the service. */
export const notFoundPage: Page = {
  path: NOT_FOUND,
  title: 'Page not found',
  description: 'This address leads nowhere.',
  html: `<h1>Page not found</h1>
<p>This address leads nowhere: the page was moved, or the link has a mistake.</p>
<p><a href="index.html">All guides and operations</a> are on the first page, and <a href="${REFERENCE}">the reference</a> has a search.</p>`,
  layout: 'article',
};

/** For an unknown address in a subfolder. @param depth number of slashes in the address below the site */
export function notFoundAt(html: string, depth: number): string {
  return html.replace(/ (href|src)="(?!#|[a-z]+:)/g, ` $1="${'../'.repeat(depth)}`);
}
