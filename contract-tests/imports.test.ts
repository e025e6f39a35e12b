import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { databases } from '../harness/database/dialect.ts';

databases('none');

interface Rule {
  name: string;
  from: { path?: string };
  to: { path?: string };
}

/** An import: the importing file, and the imported file or package. */
type Import = [from: string, to: string];

const CONFIG = '.dependency-cruiser.cjs';
const { forbidden }: { forbidden: Rule[] } = createRequire(import.meta.url)(resolve(CONFIG));

/** Handwritten rules. The others are generated from the tables of layers and rooms. */
const BREACHES: Record<string, Import> = {
  'db-providers-and-packages-are-strangers': ['db/access/keys.ts', 'providers/mail/mail.ts'],
  'the-queue-knows-no-kind-of-work': ['queue/worker.ts', 'db/webhooks/deliveries.ts'],
  'workers-send-instead-of-importing-each-other': ['jobs/identity/complete-kyc.ts', 'jobs/documents/run-forensic.ts'],
  'the-service-imports-no-tool-and-no-test': ['core/log.ts', 'harness/process/until.ts'],
  'the-service-uses-the-exports-of-a-package': ['jobs/documents/look.ts', 'packages/forensics/pdf/xref.ts'],
  'the-harness-imports-no-tool-and-no-test': ['harness/service/start.ts', 'scripts/mock/mock.ts'],
  'tools-import-no-test': ['scripts/gate/gate.ts', 'contract-tests/gate/gate-changes.ts'],
  'packages-import-nothing-of-the-service': ['packages/forensics/ask.ts', 'core/ids.ts'],
  'packages-for-integrators-import-nothing-of-ours': ['packages/client/ask.ts', 'core/random.ts'],
  'the-corpus-imports-nothing-but-the-forensics': ['packages/forensics-corpus/make.ts', 'core/text.ts'],
  'handlers-and-the-site-are-strangers': ['handlers/close-thing.ts', 'site/page.ts'],
  'the-site-reads-the-contract-and-nothing-else-of-ours': ['site/page.ts', 'generated/contract.ts'],
  'shared-files-of-jobs-import-no-room': ['jobs/runtime.ts', 'jobs/webhooks/redeliver.ts'],
  'shared-files-of-core-import-no-room': ['core/errors.ts', 'core/settings/config.ts'],
  'shared-files-of-bench-import-no-room': ['bench/run.ts', 'bench/api/load.ts'],
  'an-imported-package-is-listed': ['handlers/unlisted.ts', 'chai'],
  'only-the-connection-room-builds-a-knex': ['db/access/build.ts', 'knex'],
  'only-the-connection-room-sees-the-drivers-connections': ['queue/pool.ts', 'db/connection/connections.ts'],
  'only-the-correlation-carries-contexts': ['db/connection/bound.ts', 'node:async_hooks'],
  'no-cycles': ['core/html.ts', 'core/html.ts'],
  'nothing-unresolvable': ['core/errors.ts', 'a-package-that-does-not-exist'],
  'no-development-dependency-in-the-service': ['core/time.ts', 'chai'],
};

/** Imports that the rules must allow. */
const ALLOWED: Import[] = [
  ['bin/admin/access/allowed.ts', 'bin/admin/cli/allowed.ts'],
  ['jobs/webhooks/allowed.ts', 'queue/allowed.ts'],
  ['queue/allowed.ts', 'db/work/allowed.ts'],
  ['jobs/webhooks/allowed.ts', 'jobs/runtime.ts'],
  ['jobs/documents/allowed.ts', 'packages/forensics/result.ts'],
  ['jobs/webhooks/allowed.ts', 'packages/webhook-tools/signatures.ts'],
  ['db/applications/allowed.ts', 'db/access/allowed.ts'],
  ['scripts/lint/allowed.ts', 'harness/contract/allowed.ts'],
  ['core/schema.ts', 'ajv-formats'],
  ['site/allowed.ts', 'core/contract.ts'],
  ['db/connection/allowed.ts', 'pg'],
  ['harness/service/allowed.ts', 'stripe'],
];

const PACKAGE_RULE = 'only-its-owners-import-';

/** An import that breaks a rule. */
function breachOf({ name, from, to }: Rule): Import {
  const written = BREACHES[name];
  if (written) return written;
  if (name.startsWith(PACKAGE_RULE)) return ['handlers/package.ts', name.slice(PACKAGE_RULE.length)];
  const importing = firstFolder(from.path);
  const imported = firstFolder(to.path);
  if (!importing || !imported) throw new Error(`No breach of the rule "${name}" is known here: add one.`);
  return name.startsWith('nothing-below')
    ? [`${importing}/breach.ts`, `${imported}/breach.ts`]
    : [`${importing}/breach.ts`, `${imported}/another-room/breach.ts`];
}

/** The first folder that matches a pattern such as `^(jobs|db)/` or `^db/work/`. */
function firstFolder(pattern = ''): string | undefined {
  return /^\^\(?([\w/-]+)/.exec(pattern.replace('[^/]+', 'new-room'))?.[1]?.replace(/\/$/, '');
}

/** The rules broken by a tree of these imports, each with the importing file: `rule: file`. */
async function broken(imports: readonly Import[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'imports-'));
  try {
    for (const name of [CONFIG, 'tsconfig.json', 'package.json']) await copyFile(name, join(folder, name));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const texts = new Map<string, string>();
    const add = (file: string, line: string) => texts.set(file, `${texts.get(file) ?? ''}${line}\n`);
    for (const [from, to] of imports) {
      const isFile = to.endsWith('.ts');
      if (isFile) add(to, 'export {};');
      add(from, `import '${isFile ? `./${relative(dirname(from), to)}` : to}';`);
    }
    for (const [file, text] of texts) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const folders = [...new Set([...texts.keys()].map((file) => file.split('/', 1).join()))];
    const program = resolve('node_modules/.bin/depcruise');
    const { stdout } = await promisify(execFile)(program, ['--output-type', 'json', ...folders], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error) => error);
    const { summary }: { summary: { violations: { rule: { name: string }; from: string }[] } } = JSON.parse(stdout);
    return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the import check', () => {
  it('rejects an import for each of its rules, and accepts what they allow', async () => {
    const breaches = forbidden.map((rule) => ({ rule: rule.name, breach: breachOf(rule) }));
    const found = await broken([...breaches.map(({ breach }) => breach), ...ALLOWED]);
    expect(found).to.include.members(breaches.map(({ rule, breach: [from] }) => `${rule}: ${from}`));
    for (const [from] of ALLOWED) expect(found.filter((each) => each.endsWith(from))).to.deep.equal([]);
  });

  it('is complemented for transactions: only the connection room begins Knex’s, because it retries them', () => {
    const found = globSync('{bin,http,handlers,jobs,queue,db,providers,harness}/**/*.ts').filter(
      (file) => !file.startsWith('db/connection/') && /\.transaction\(/.test(readFileSync(file, 'utf8')),
    );
    expect(found).to.deep.equal([]);
  });
});
