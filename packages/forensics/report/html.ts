import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Analysis, Preview } from '../analysis.ts';
import { drawnPages } from './drawn-pages.ts';
import { contradictions } from './html-contradictions.ts';
import { documentSection } from './html-document.ts';
import { explanation, summary } from './html-summary.ts';
import { html, Markup } from './markup.ts';
import { visible } from './visible.ts';
import { count } from './wording.ts';

interface HtmlOptions {
  /** Previews by document id. */
  previews: ReadonlyMap<string, readonly Preview[]>;
  madeAt: Date;
}

const STYLE = ['report.css', 'findings.css']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n');

/** Loads nothing and runs no script: pictures are inline, and the only style is allowed by its hash. */
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Verbatim, because the hash must match. */
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

/** A self-contained page that can be mailed, stored and printed. */
export function htmlReport(analysis: Analysis, { previews, madeAt }: HtmlOptions): string {
  const { engine, documents } = analysis;
  const [first] = documents;
  const isOne = documents.length === 1 && first;
  const title = `Document check: ${isOne ? visible(first.name, 100) : count(documents.length, 'document')}`;
  const drawn = documents.map((document, index) => {
    const prefix = `d${index + 1}`;
    const shown = drawnPages(document, prefix, previews.get(document.document_id) ?? []);
    return { document, prefix, shown, href: `#${prefix}` };
  });
  const sections = drawn.map(({ document, prefix, shown }) =>
    documentSection(document, prefix, shown, undefined, analysis),
  );
  const parts = new Map(drawn.map((part) => [part.document.document_id, part]));
  const moment = madeAt.toISOString();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
${STYLE_ELEMENT}
</head>
<body>
<header class="top">
<h1>Document check</h1>
<p>${count(documents.length, 'document')} · <time datetime="${moment}">${moment.slice(0, 16).replace('T', ' ')} UTC</time> · engine ${visible(engine.name)} ${visible(engine.version)}</p>
</header>
<main>
${contradictions(analysis, parts)}
${isOne ? undefined : summary(analysis, (place) => `#d${place}`)}
${sections}
${explanation()}
</main>
</body>
</html>
`.text;
}
