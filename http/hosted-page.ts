import { randomBytes } from 'node:crypto';
import type { Response } from 'express';

export interface Page {
  title: string;
  text: string;
  /** HTML below the text. */
  actions?: string;
  /** Whether the page looks again by itself. */
  waiting: boolean;
  /** What the page runs; it tells a surrounding page how things went, as a bare string (product document 6.2). */
  script?: string;
}

/**
 * Sends a page of ours, which loads nothing and runs its own script alone.
 * @param frameAncestors who may show the page in a frame, as the Content Security Policy words it
 */
export function sendPage(res: Response, page: Page, frameAncestors: string): void {
  const nonce = randomBytes(16).toString('base64');
  res.setHeader('Content-Security-Policy', contentPolicy(nonce, frameAncestors));
  res.type('html').send(html(page, nonce));
}

function contentPolicy(nonce: string, frameAncestors: string): string {
  const nonced = `'nonce-${nonce}'`;
  return `default-src 'none'; script-src ${nonced}; style-src ${nonced}; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`;
}

/** Every text here is ours, so nothing needs escaping. */
function html({ title, text, actions = '', waiting, script }: Page, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${waiting ? '<meta http-equiv="refresh" content="1">' : ''}
<title>${title}</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: Canvas; color: CanvasText;
    font: 1.0625rem/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; padding: 2rem; text-align: center; }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
  p { margin: 0; text-wrap: balance; }
  button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; }
  small { display: block; margin-top: 2rem; opacity: .75; }
</style>
</head>
<body>
<main aria-live="polite"><h1>${title}</h1><p>${text}</p>${actions}<small>Sandbox: nothing here is real.</small></main>
${script ? `<script nonce="${nonce}">${script}</script>` : ''}
</body>
</html>
`;
}
