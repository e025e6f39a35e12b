import { REFERENCE } from './addresses.ts';
import { type Audience, audienceOf, changelog, openPoints } from './catalogue.ts';
import { escapeHtml } from './html.ts';
import type { Heading } from './markdown.ts';

export interface NavigationEntry {
  title: string;
  path: string;
}

/** Facts about the site that every page shows. */
export interface Navigation {
  product: string;
  version: string;
  groups: Record<Audience, { title: string; guides: NavigationEntry[] }[]>;
}

export interface Page {
  path: string;
  title: string;
  description: string;
  /** The content of `main`. */
  html: string;
  layout: 'landing' | 'article' | 'article wide' | 'reference';
  headings?: Heading[];
  /** From the folder `assets`, besides those of every page. */
  scripts?: string[];
}

export const ERROR_LIST = 'error-list.html';

const referencePages: NavigationEntry[] = [
  { title: 'API reference', path: REFERENCE },
  { title: 'Operations', path: 'operations.html' },
  { title: 'Events', path: `${REFERENCE}#tag/events` },
  { title: 'Every error', path: ERROR_LIST },
  { title: 'Open points', path: openPoints.path },
  { title: 'Changelog', path: changelog.path },
];

/** A whole page. It works without JavaScript and loads only files beside it. */
export function renderPage(page: Page, navigation: Navigation, contentPolicy: string): string {
  const { title, layout, path } = page;
  // Scalar has its own main landmark.
  const main = layout === 'reference' ? 'div' : 'main';
  const fullTitle = layout === 'landing' ? navigation.product : `${title} · ${navigation.product}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(fullTitle)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/site.css">
<script src="assets/theme.js"></script>
</head>
<body class="${layout}" data-audience="${audienceOf(path)}">
<a class="skip" href="#content">Skip to content</a>
${header(navigation, path)}
<div class="shell">
${menu(navigation, path)}
<${main} id="content" tabindex="-1">
${page.html}
${neighbours(navigation, path)}
</${main}>
${onThisPage(page.headings ?? [])}
</div>
${layout === 'reference' ? '' : footer(navigation)}
${['site.js', 'search.js', ...(page.scripts ?? [])].map((name) => `<script src="assets/${name}"></script>`).join('\n')}
</body>
</html>
`;
}

const MARK = `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 11.2 12 4l9 7.2V20a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z"/><path class="tick" d="m8 13.6 2.8 2.8L16 11"/></svg>`;

const MAGNIFIER = `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/></svg>`;

function header({ product, groups }: Navigation, path: string): string {
  const pagesFor = (audience: Audience) => groups[audience].flatMap(({ guides }) => guides);
  const entryOf = (title: string, pages: NavigationEntry[]) =>
    pages.slice(0, 1).map((first) => ({ title, path: first.path, current: pages.some((page) => page.path === path) }));
  const entries = [
    ...entryOf('Guides', pagesFor('integrators')),
    { title: 'Reference', path: REFERENCE, current: path === REFERENCE },
    { title: 'Open points', path: openPoints.path, current: path === openPoints.path },
    { title: 'Changelog', path: changelog.path, current: path === changelog.path },
    ...entryOf('Operating', pagesFor('operators')),
    { title: 'openapi.yaml', path: 'openapi.yaml', current: false, download: true },
  ];
  const links = entries.map(
    (entry) =>
      `<li><a href="${entry.path}"${entry.current ? ' aria-current="true"' : ''}${'download' in entry ? ' download' : ''}>${entry.title}</a></li>`,
  );
  return `<header class="top">
<a class="brand" href="index.html">${MARK}<span>${escapeHtml(product)}</span></a>
<nav class="top-links" aria-label="Site"><ul>${links.join('')}</ul></nav>
<button class="search-button" type="button" aria-haspopup="dialog" aria-keyshortcuts="/" hidden>${MAGNIFIER}<span>Search</span><kbd aria-hidden="true">/</kbd></button>
<button class="theme" type="button" hidden><span class="sr">Dark theme</span><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8.5"/><path d="M12 3.5a8.5 8.5 0 0 1 0 17z"/></svg></button>
<button class="menu-button" type="button" aria-expanded="false" aria-controls="menu" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16"/></svg><span>Menu</span></button>
</header>`;
}

function menu({ groups }: Navigation, path: string): string {
  const group = (title: string, entries: NavigationEntry[]) => {
    const links = entries.map(
      (entry) =>
        `<li><a href="${entry.path}"${entry.path === path ? ' aria-current="page"' : ''}${entry.path.startsWith('openapi.') ? ' download' : ''}>${escapeHtml(entry.title)}</a></li>`,
    );
    return `<p class="menu-title">${title}</p><ul>${links.join('')}</ul>`;
  };
  const contract = ['openapi.yaml', 'openapi.json'].map((name) => ({ title: name, path: name }));
  const audience = audienceOf(path);
  const [other] = groups[audience === 'operators' ? 'integrators' : 'operators'].flatMap(({ guides }) => guides);
  const further: [string, NavigationEntry[]][] =
    audience === 'operators'
      ? []
      : [
          ['Reference', referencePages],
          ['Contract', contract],
        ];
  const across = other ? [{ path: other.path, title: audience === 'operators' ? 'Guides' : 'Operating' }] : [];
  const groupsShown = groups[audience].map(({ title, guides }): [string, NavigationEntry[]] => [title, guides]);
  return `<nav class="menu" id="menu" aria-label="Pages">
${[...groupsShown, ...further].map(([title, entries]) => group(title, entries)).join('\n')}
${group(audience === 'operators' ? 'For integrators' : 'For operators', across)}
</nav>`;
}

function neighbours({ groups }: Navigation, path: string): string {
  const guides = groups[audienceOf(path)].flatMap((group) => group.guides);
  const index = guides.findIndex((guide) => guide.path === path);
  if (index < 0) return '';
  const link = (entry: NavigationEntry | undefined, label: string, rel: string) =>
    entry
      ? `<a href="${entry.path}" rel="${rel}"><span>${label}</span><strong>${escapeHtml(entry.title)}</strong></a>`
      : '<span></span>';
  return `<nav class="neighbours" aria-label="Previous and next guide">
${link(guides[index - 1], 'Previous', 'prev')}
${link(guides[index + 1], 'Next', 'next')}
</nav>`;
}

function onThisPage(headings: Heading[]): string {
  const listed = headings.filter(({ level }) => level <= 3);
  if (listed.length < 2) return '';
  const links = listed.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="toc" aria-labelledby="toc-title"><p id="toc-title">On this page</p><ul>${links.join('')}</ul></nav>`;
}

function footer({ product, version }: Navigation): string {
  return `<footer class="foot"><p>${escapeHtml(product)} ${escapeHtml(version)}. Generated from <a href="openapi.yaml" download>openapi.yaml</a> (<a href="openapi.json" download>JSON</a>).</p></footer>`;
}
