import { readdir, readFile } from 'node:fs/promises';
import { operationAddress } from './addresses.ts';
import { attachments, operatorsGuides, type Source, sources } from './catalogue.ts';
import type { Contract } from './contract.ts';
import { type LinkResolver, siteMarkdown } from './machine-readable.ts';
import { type Article, renderMarkdown } from './markdown.ts';

const ROOT = new URL('../', import.meta.url);
/** Every page of these folders is on the site. */
const FOLDERS = ['docs/guides/', 'docs/operating/'];

/** The pages whose Markdown files exist. */
export async function readArticles(contract: Contract): Promise<Map<Source, Article & { markdown: string }>> {
  const articles = new Map<Source, Article & { markdown: string }>();
  for (const source of sources) {
    const resolve = linkResolver(contract, operatorsGuides.includes(source));
    const text = await readFile(new URL(source.file, ROOT), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const part = shownPart(text, source);
    const markdown = siteMarkdown(part, source.file, resolve);
    articles.set(source, { ...renderMarkdown(markdown, source.omit), markdown });
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
  const listed = FOLDERS.map(async (folder) =>
    (await readdir(new URL(folder, ROOT))).filter((name) => name.endsWith('.md')).map((name) => folder + name),
  );
  return (await Promise.all(listed)).flat();
}

/** Path in the site, and content. */
export async function readAttachments(): Promise<[string, string][]> {
  const read = async ({ file, path }: (typeof attachments)[number]): Promise<[string, string]> => [
    path,
    await readFile(new URL(file, ROOT), 'utf8'),
  ];
  return Promise.all(attachments.map(read));
}

/**
 * A repository file's address in the site. Unknown files keep their path and show up as dead links; operators have the service's
 * folder, so for them its path is shown.
 */
function linkResolver({ operations }: Contract, isForOperators: boolean): LinkResolver {
  return (file, fragment) => {
    const suffix = fragment && `#${fragment}`;
    const operation = operations.find(({ operationId }) => operationId === fragment);
    if (file === 'openapi.yaml' && operation) return operationAddress(operation);
    const found = [...sources, ...attachments].find((candidate) => candidate.file === file);
    if (!found && isForOperators) return undefined;
    return `${found?.path ?? file}${suffix}`;
  };
}
