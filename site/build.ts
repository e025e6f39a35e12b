import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { REFERENCE } from './addresses.ts';
import { guideFiles, readArticles, readAttachments } from './articles.ts';
import { AUDIENCES, type Audience, audienceOf, groups, type Source, sources, unlisted } from './catalogue.ts';
import { contentPolicy } from './content-policy.ts';
import { type Contract, readSiteContract } from './contract.ts';
import { contractFiles, type SiteFile } from './contract-files.ts';
import { errorListPage } from './error-list.ts';
import { landingPage } from './landing.ts';
import { linkFaults } from './links.ts';
import { eventsSchema, eventsTypes, type IndexedPage, llmsIndex, markdownPath } from './machine-readable.ts';
import type { Article } from './markdown.ts';
import { notFoundPage } from './not-found.ts';
import { operationPages } from './operation-pages.ts';
import { type Navigation, type Page, renderPage } from './page.ts';
import { descriptionsOf, readingCopy } from './reading-copy.ts';
import { SANDBOX, withConsole } from './sandbox-console.ts';
import { scalarBundle } from './scalar.ts';
import { searchEngine, searchRecords } from './search/search.ts';

export interface Site {
  /** Keyed by path in the site, such as `index.html` or `assets/site.css`. */
  files: Map<string, SiteFile>;
  /** The base address of the reference's requests, absolute or relative to its page. */
  tryItAddress: string;
  /** Missing pages and dead links, one sentence each. A published site has none. */
  faults: string[];
}

/** Browsers differ in whether `'self'` includes files from disk. */
const OWN_FILES = "'self' file:";

const ASSETS = new URL('assets/', import.meta.url);

/** In cascade order. */
const SHEETS = ['tokens', 'frame', 'search', 'layout', 'prose', 'blocks', 'landing', 'operations', 'reference'];

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  ...Object.fromEntries(
    ['.go', '.java', '.ru', '.sh', '.toml', '.yml', '.kt', '.mjs', '.php', '.py', '.rb', '.rs', '.ts'].map(
      (extension) => [extension, 'text/plain; charset=utf-8'],
    ),
  ),
};

/**
 * The whole site, in memory.
 * @param tryItAddress the API's base address for requests from the reference, absolute or relative to the reference's
 *   page; default: the contract's sandbox
 * @param given the contract to build from; default: the one that the service enforces
 */
export async function buildSite(tryItAddress?: string, given?: Contract): Promise<Site> {
  const contract = given ?? readSiteContract();
  const server = tryItAddress ?? contract.sandboxAddress;
  const articles = await readArticles(contract);
  const listed = (source: Source) => {
    const article = articles.get(source);
    return article ? [{ path: source.path, title: article.title, lead: article.lead }] : [];
  };
  const writtenFor = (audience: Audience) =>
    groups[audience].map(({ title, guides }) => ({ title, guides: guides.flatMap(listed) }));
  const written = { integrators: writtenFor('integrators'), operators: writtenFor('operators') };
  const navigation: Navigation = {
    product: 'Tenant Screening',
    version: contract.version,
    groups: written,
  };
  const shown = readingCopy(contract, server);
  const ofOperations = operationPages(contract, shown);
  const pages = [
    ...ofOperations.map(({ page }) => page),
    landingPage(contract, written.integrators),
    referencePage(contract),
    errorListPage(contract),
    notFoundPage,
    ...[...articles].map(([source, article]) => articlePage(source, article, server)),
  ];
  const indexed = [
    ...sources.flatMap(listed),
    ...ofOperations.map(({ page: { path, title, description } }) => ({ path, title, lead: description })),
  ];
  const texts: [string, string | Buffer][] = [
    ...pages.map((page): [string, string] => [
      page.path,
      renderPage(page, navigation, contentPolicy(page.path, server, OWN_FILES)),
    ]),
    ...(await assets()),
    ...(await readAttachments()),
    ['assets/contract.js', `globalThis.contract = ${JSON.stringify(shown)};\n`],
    ['assets/scalar.js', scalarBundle()],
    ['assets/minisearch.js', searchEngine()],
    ...AUDIENCES.map((audience): [string, string] => [
      `assets/search-${audience}.js`,
      `globalThis.searchRecords = ${JSON.stringify(searchRecords(audience, articles, contract))};\n`,
    ]),
    ...[...articles].map(([{ path }, { markdown }]): [string, string] => [markdownPath(path), markdown]),
    ...ofOperations.map(({ page, markdown }): [string, string] => [markdownPath(page.path), markdown]),
    ['llms.txt', llmsIndex(contract, ...halves(indexed))],
    ['events.schema.json', eventsSchema(contract)],
    ['events.d.ts', eventsTypes(contract)],
  ];
  const files = new Map([
    ...texts.map(([path, text]): [string, SiteFile] => [path, asFile(path, text)]),
    ...contractFiles(contract.yaml, contract.tree),
  ]);
  const faults = [
    ...sources.filter((source) => !articles.has(source)).map(({ file }) => `${file} is missing.`),
    ...unlisted(await guideFiles()),
    ...linkFaults(files, contract, descriptionsOf(shown)),
  ];
  return { files, tryItAddress: server, faults };
}

/** The pages for integrators, and those for operators. */
function halves(pages: IndexedPage[]): [IndexedPage[], IndexedPage[]] {
  const isForOperators = ({ path }: IndexedPage) => audienceOf(path) === 'operators';
  return [pages.filter((page) => !isForOperators(page)), pages.filter(isForOperators)];
}

function asFile(path: string, text: string | Buffer): SiteFile {
  const mediaType = MEDIA_TYPES[extname(path)];
  if (!mediaType) throw new Error(`${path}: files of this kind have no media type here.`);
  return { mediaType, content: Buffer.from(text) };
}

function articlePage({ path, wide }: Source, { title, lead, html, headings }: Article, server: string): Page {
  const isSandbox = path === SANDBOX;
  return {
    path,
    title,
    description: lead,
    html: isSandbox ? withConsole(html, server) : html,
    scripts: isSandbox ? ['sandbox.js'] : [],
    headings: wide ? [] : headings,
    layout: wide ? 'article wide' : 'article',
  };
}

function referencePage({ title }: Contract): Page {
  const html = `<div id="reference"></div>
<noscript><h1 class="plain">Reference</h1><p class="plain">The reference is drawn by JavaScript. Without it, read the contract itself: <a href="openapi.yaml">openapi.yaml</a>.</p></noscript>`;
  const scripts = ['contract.js', 'scalar.js', 'reference.js'];
  const description = `Every operation and event of the ${title}, with examples and a console.`;
  return { path: REFERENCE, title: 'Reference', description, html, layout: 'reference', scripts };
}

/** The files of `assets`, and its style sheets as one. */
async function assets(): Promise<[string, string][]> {
  const read = (name: string) => readFile(new URL(name, ASSETS), 'utf8');
  const names = (await readdir(ASSETS, { withFileTypes: true })).filter((entry) => entry.isFile());
  const plain = names.map(async ({ name }): Promise<[string, string]> => [`assets/${name}`, await read(name)]);
  const sheets = SHEETS.map((name) => read(`css/${name}.css`));
  return [...(await Promise.all(plain)), ['assets/site.css', (await Promise.all(sheets)).join('\n')]];
}
