import type { Page } from './page.ts';

export const NOT_FOUND = '404.html';

/** The page for unknown addresses, on static hosts and in the service. */
export const notFoundPage: Page = {
  path: NOT_FOUND,
  title: 'Page not found',
  description: 'There is no page at this address.',
  html: `<h1>Page not found</h1>
<p>There is no page at this address. It may have moved, or the link may be mistyped.</p>
<p>Start from <a href="index.html">all guides and operations</a>, or search.</p>`,
  layout: 'article',
};

/** For an unknown address in a subfolder. @param depth number of slashes in the address below the site */
export function notFoundAt(html: string, depth: number): string {
  return html.replace(/ (href|src)="(?!#|[a-z]+:)/g, ` $1="${'../'.repeat(depth)}`);
}
