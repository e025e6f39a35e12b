import { basename } from 'node:path';

/** A page written in Markdown. */
export interface Source {
  /** From the top of the repository. */
  file: string;
  /** Its address in the site. */
  path: string;
  /** Whether its tables use the full width. */
  wide?: true;
  /** The second-level heading where the part for developers starts. */
  until?: string;
  /** The heading of a column for developers only. */
  omit?: string;
}

const guide = (name: string): Source => ({ file: `docs/guides/${name}.md`, path: `${name}.html` });

/** In reading order. */
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

/** Downloads: their path in the repository and in the site. */
export const attachments = [
  'docs/guides/webhook-test-vectors.json',
  'examples/postman/tenant-screening.postman_collection.json',
  'examples/postman/local.postman_environment.json',
].map((file) => ({ file, path: basename(file) }));

/** Guides that no page is made from, one sentence each. */
export function unlisted(files: string[]): string[] {
  return files
    .filter((file) => !sources.some((source) => source.file === file))
    .map((file) => `${file} is no page: site/catalogue.ts does not name it.`);
}
