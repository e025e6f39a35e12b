import { basename } from 'node:path';

/** A page that is written in Markdown. */
export interface Source {
  /** From the top of the repository. */
  file: string;
  /** Its address in the site. */
  path: string;
  /** Whether its tables need the room beside the text. */
  wide?: true;
  /** The heading, of the second level, from which on it concerns those who work on the code alone. */
  until?: string;
  /** The heading of a column that concerns those who work on the code alone. */
  omit?: string;
}

const guide = (name: string): Source => ({ file: `docs/guides/${name}.md`, path: `${name}.html` });

/** In the order in which they are read. */
export const guides: Source[] = [
  ...['first-call', 'life-cycle', 'webhooks', 'webhooks-by-hand', 'testing-receivers', 'kyc-iframe', 'eid'].map(guide),
  { file: 'docs/forensics.md', path: 'forensics.html', until: 'For developers' },
  ...['property-management', 'errors', 'sandbox', 'clients', 'mocking', 'going-live'].map(guide),
];

export const openPoints: Source = {
  file: 'docs/open-points.md',
  path: 'open-points.html',
  wide: true,
  omit: 'Where it lives',
};
export const changelog: Source = { file: 'docs/contract/CHANGELOG.md', path: 'changelog.html' };

export const sources: Source[] = [...guides, openPoints, changelog];

/** Files that readers take as they are: from the top of the repository, and their address in the site. */
export const attachments = [
  'docs/guides/webhook-test-vectors.json',
  'examples/postman/tenant-screening.postman_collection.json',
  'examples/postman/local.postman_environment.json',
].map((file) => ({ file, path: basename(file) }));

/** The files that no page is made of, one sentence each. */
export function unlisted(files: string[]): string[] {
  return files
    .filter((file) => !sources.some((source) => source.file === file))
    .map((file) => `${file} is no page: site/catalogue.ts does not name it.`);
}
