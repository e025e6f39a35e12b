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
  /** Lines for the project's own tools. */
  without?: RegExp;
}

const guide = (name: string): Source => ({ file: `docs/guides/${name}.md`, path: `${name}.html` });

/** Whom a page is for. Each audience has its own menu and its own search. */
export type Audience = (typeof AUDIENCES)[number];
export const AUDIENCES = ['integrators', 'operators'] as const;

interface Group {
  title: string;
  guides: Source[];
}

/** The guides by what the reader is doing, in reading order. */
const integrating: Group[] = [
  {
    title: 'Start',
    guides: ['first-call', 'life-cycle', 'property-management', 'sandbox', 'mocking', 'clients'].map(guide),
  },
  {
    title: 'Verify',
    guides: [
      ...['kyc-iframe', 'eid'].map(guide),
      { file: 'docs/forensics.md', path: 'forensics.html', until: 'For developers' },
    ],
  },
  { title: 'Webhooks', guides: ['webhooks', 'webhooks-by-hand', 'testing-receivers', 'polling'].map(guide) },
  { title: 'Production', guides: ['errors', 'limits', 'contract-tests', 'going-live'].map(guide) },
];

const operate = (name: string): Source => ({ file: `docs/operating/${name}.md`, path: `operate-${name}.html` });

const operating: Group[] = [
  {
    title: 'Set up',
    guides: [
      { file: 'docs/operating/README.md', path: 'operate.html' },
      ...['install', 'configure', 'containers', 'bank'].map(operate),
    ],
  },
  { title: 'Run', guides: ['run', 'monitor', 'troubleshooting', 'upgrade', 'back-up', 'change-keys'].map(operate) },
  {
    title: 'Serve',
    guides: [
      ...['landlords', 'people', 'data-protection', 'webhooks', 'console'].map(operate),
      { file: 'docs/desk.md', path: 'operate-desk.html' },
    ],
  },
  {
    title: 'Look up',
    guides: [
      ...['command-line', 'privacy', 'reliability'].map((name) => ({
        file: `docs/${name}.md`,
        path: `operate-${name}.html`,
      })),
      { file: 'docs/security.md', path: 'operate-security.html', wide: true },
    ],
  },
];

export const groups: Record<Audience, Group[]> = { integrators: integrating, operators: operating };

const guidesFor = (audience: Audience) => groups[audience].flatMap(({ guides: members }) => members);

export const guides: Source[] = guidesFor('integrators');
export const operatorsGuides: Source[] = guidesFor('operators');

/** Pages that are in no menu are for integrators. */
export function audienceOf(path: string): Audience {
  return operatorsGuides.some((source) => source.path === path) ? 'operators' : 'integrators';
}

export const openPoints: Source = {
  file: 'docs/open-points.md',
  path: 'open-points.html',
  wide: true,
  omit: 'Home',
};
export const changelog: Source = {
  file: 'docs/contract/CHANGELOG.md',
  path: 'changelog.html',
  without: /^Contract: SHA-256 .*\n/gm,
};

export const sources: Source[] = [...guides, openPoints, changelog, ...operatorsGuides];

/** Downloads with the name of their file. */
const named = [
  'docs/guides/webhook-test-vectors.json',
  'examples/postman/tenant-screening.postman_collection.json',
  'examples/postman/local.postman_environment.json',
  'examples/typed-client.ts',
  ...['java/Story.java', 'kotlin/Story.kt', 'go-oapi-codegen/story.go', 'rust/story.rs', 'php/story.php'].map(
    (program) => `examples/clients/${program}`,
  ),
  ...['python-openapi-python-client/story.py', 'ruby/story.rb'].map((program) => `examples/clients/${program}`),
  ...['receiver.mjs', 'receiver.py', 'main.go', 'hook.php'].map((program) => `examples/receivers/${program}`),
  ...['kyc-server.mjs', 'eid-server.mjs'].map((program) => `examples/${program}`),
  ...['contract-tests.sh', 'dredd-hooks.js', 'schemathesis_hooks.py', 'schemathesis.toml'].map(
    (file) => `examples/ci/${file}`,
  ),
  ...['github-workflow.yml', 'gitlab-ci.yml', 'prism-proxy.sh'].map((file) => `examples/ci/${file}`),
].map((file) => ({ file, path: basename(file) }));

/** Receivers by framework: the file below `examples/recipes`, and its name in the site. */
const RECIPES = {
  'express/receiver.mjs': 'express.mjs',
  'fastify/receiver.mjs': 'fastify.mjs',
  'flask/app.py': 'flask.py',
  'django/app.py': 'django.py',
  'spring/Receiver.java': 'Receiver.java',
  'go/main.go': 'receiver.go',
  'laravel/hook.php': 'laravel.php',
  'rails/config.ru': 'rails.ru',
};

/** Downloads: their path in the repository and in the site. */
export const attachments = [
  ...named,
  ...Object.entries(RECIPES).map(([file, path]) => ({ file: `examples/recipes/${file}`, path })),
];

/** Guides that no page is made from, one sentence each. */
export function unlisted(files: string[]): string[] {
  return files
    .filter((file) => !sources.some((source) => source.file === file))
    .map((file) => `${file} is no page: site/catalogue.ts does not name it.`);
}
