import { readdir, readFile } from 'node:fs/promises';
import { operationAddress } from './addresses.ts';
import { attachments, type Source, sources } from './catalogue.ts';
import type { Contract } from './contract.ts';
import { siteMarkdown } from './machine-readable.ts';
import { type Article, renderMarkdown } from './markdown.ts';

const ROOT = new URL('../', import.meta.url);
const GUIDES = 'docs/guides/';

/** The pages whose Markdown files exist. */
export async function readArticles(contract: Contract): Promise<Map<Source, Article & { markdown: string }>> {
  const articles = new Map<Source, Article & { markdown: string }>();
  const resolve = linkResolver(contract);
  for (const source of sources) {
    const text = await readFile(new URL(source.file, ROOT), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const part = shownPart(text, source);
    const article = renderMarkdown(part, source.file, resolve, source.omit);
    articles.set(source, { ...article, markdown: siteMarkdown(part, source.file, resolve) });
  }
  return articles;
}

function shownPart(text: string, { until, without }: Source): string {
  const end = until === undefined ? -1 : text.indexOf(`\n## ${until}\n`);
  const part = (end < 0 ? text : text.slice(0, end + 1)).replaceAll(/^<!-- \/?generated\b.* -->\n/gm, '');
  return without ? part.replace(without, '') : part;
}

/** From the top of the repository. */
export async function guideFiles(): Promise<string[]> {
  return (await readdir(new URL(GUIDES, ROOT))).filter((name) => name.endsWith('.md')).map((name) => GUIDES + name);
}

/** Path in the site, and content. */
export async function readAttachments(): Promise<[string, string][]> {
  const read = async ({ file, path }: (typeof attachments)[number]): Promise<[string, string]> => [
    path,
    await readFile(new URL(file, ROOT), 'utf8'),
  ];
  return Promise.all(attachments.map(read));
}

/** A repository file's address in the site. Unknown files keep their path and show up as dead links. */
function linkResolver({ operations }: Contract) {
  return (file: string, fragment: string): string => {
    const suffix = fragment && `#${fragment}`;
    const operation = operations.find(({ operationId }) => operationId === fragment);
    if (file === 'openapi.yaml' && operation) return operationAddress(operation);
    const found = [...sources, ...attachments].find((candidate) => candidate.file === file);
    return `${found?.path ?? file}${suffix}`;
  };
}
