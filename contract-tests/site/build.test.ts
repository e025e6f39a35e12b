import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { document, operations } from '../../harness/contract/contract.ts';
import { editedContract, textOf } from '../../harness/contract/edited-contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { buildSite, type Site } from '../../site/build.ts';
import { sources, unlisted } from '../../site/catalogue.ts';
import { contractOf, readSiteContract } from '../../site/contract.ts';
import { linkFaults } from '../../site/links.ts';
import { renderMarkdown } from '../../site/markdown.ts';

databases('none');

const run = promisify(execFile);

/** Every value of `x-open-point` in the contract. */
function openPointsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-open-point' ? [value].flat() : openPointsOf(value),
  );
}

describe('the built site', () => {
  let site: Site;
  const text = (path: string): string => site.files.get(path)?.content.toString() ?? '';
  before(async () => {
    site = await buildSite();
  });

  it('has every page, and every internal link leads somewhere', () => {
    expect(site.faults).to.deep.equal([]);
  });

  it('has each operation on a page of its own, with its request and every status', () => {
    for (const { operationId, method, template, responses } of operations) {
      const page = text(`operation-${operationId}.html`);
      expect(text('operations.html')).to.include(`href="operation-${operationId}.html"`);
      expect(text(`operation-${operationId}.md`)).to.include(`\`${method} ${template}\``);
      for (const status of Object.keys(responses)) expect(page, operationId).to.include(`id="${status}"`);
      expect(page.length, operationId).to.be.below(60_000);
    }
  });

  it('has the Markdown of each guide and operation, and an index that names them', () => {
    for (const { path } of sources) {
      const markdown = path.replace('.html', '.md');
      expect(text(markdown), markdown).to.match(/^# /);
      expect(text('llms.txt')).to.include(`](${markdown}): `);
    }
    const named = [...text('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !site.files.has(path))).to.deep.equal([]);
  });

  it('has JSON Schemas of the events that accept exactly the contract’s events', () => {
    const validate = new Ajv2020({ strict: true }).compile(JSON.parse(text('events.schema.json')));
    const events = ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'];
    for (const event of events) {
      const isEid = event === 'EID_SUCCESS';
      expect(validate({ event, data: isEid ? null : { tenant_id: 'a', more: 1 } }), event).to.equal(true);
      expect(validate({ event, data: isEid ? {} : null }), event).to.equal(false);
      expect(text('events.d.ts')).to.include(`event: "${event}"`);
    }
    expect(validate({ event: 'OTHER', data: null })).to.equal(false);
  });

  it('reports a link to a missing page, place, operation or open point', async () => {
    const contract = readSiteContract();
    for (const link of [
      'nothing.html',
      'errors.html#nothing',
      'reference.html#tag/tenants/nothing',
      'open-points.html#no',
      '#no',
      'errors.html#100%',
    ]) {
      const broken = Buffer.from(text('index.html').replace('href="index.html"', `href="${link}"`));
      const files = new Map(site.files).set('index.html', { mediaType: 'text/html', content: broken });
      expect(linkFaults(files, contract, []).join(), link).to.include(`index.html: the link to ${link} `);
    }
  });

  it('reports a dead link in the contract’s text, and shows it as text', async () => {
    const contract = editedContract(
      { set: '/info/version', to: '<img src=x onerror=alert(1)>' },
      { set: '/paths/~1authenticate~1token/post/description', to: 'See [there](nowhere.html).' },
      {
        set: '/components/schemas/Error/description',
        to: 'See [this](open-points.html#nothing) and [that](#tag/events).',
      },
      { move: '/paths/~1webhooks~1create-webhook', to: '/paths/~1<b>"x"' },
    );
    const { files, faults } = await buildSite(
      undefined,
      contractOf({ document: JSON.parse(textOf(contract)), yaml: Buffer.from(textOf(contract)) }),
    );
    expect(faults).to.include('reference.html: the link to nowhere.html leads nowhere.');
    expect(faults.join()).to.include('reference.html: the link to open-points.html#nothing ');
    expect(faults.join()).to.not.include('#tag/events');
    for (const [path, { content }] of files)
      if (path.endsWith('.html')) expect(content.toString(), path).to.not.match(/<img|<b>|<b>"x"/);
  });

  it('shows no mark of the generator', () => {
    for (const [path, { content }] of site.files)
      if (path.endsWith('.html')) expect(content.toString(), path).to.not.include('&lt;!-- ');
  });

  it('reports a guide that is in no list', () => {
    const listed = sources.map(({ file }) => file);
    expect(unlisted(listed)).to.deep.equal([]);
    expect(unlisted([...listed, 'docs/guides/lost.md']).join()).to.include('docs/guides/lost.md');
  });

  it('shows operators their own menu, and the paths of files that are in their folder and not on the site', () => {
    const menuOf = (path: string) => /<nav class="menu".*?<\/nav>/s.exec(text(path))?.[0] ?? '';
    expect(menuOf('operate-install.html')).to.include('operate-upgrade.html').and.not.include('kyc-iframe.html');
    expect(menuOf('webhooks.html')).to.include('operate.html').and.not.include('operate-upgrade.html');
    expect(text('operate-containers.html')).to.include('<code>deploy/compose.yaml</code>');
    expect(text('operate-containers.md')).to.include('`deploy/compose.yaml`').and.not.include('](../');
  });

  it('labels each cell of the open points, and omits where the code is', () => {
    const html = text('open-points.html');
    expect(html).to.not.include('data-label="Home"').and.not.include('handlers/');
    const [, row = ''] = html.match(/<tr[^>]* id="success-status">(.*?)<\/tr>/s) ?? [];
    expect([...row.matchAll(/<td role="cell" data-label="([^"]+)"/g)].map(([, label]) => label)).to.deep.equal([
      'Identifier',
      'What is open',
      'Choice',
      'Why',
    ]);
  });

  it('tells integrators what changed, and omits the hashes of releases', () => {
    expect(text('changelog.html')).to.include('1.0.0 - 2026-11-21').and.not.include('SHA-256');
  });

  it('shows each operation with all its examples, and marks provisional parts', () => {
    const shown = text('assets/contract.js');
    for (const { operationId, responses } of operations) {
      expect(text('index.html'), operationId).to.match(
        new RegExp(`href="reference\\.html#tag/[a-z-]+/${operationId}"`),
      );
      expect(text('error-list.html'), operationId).to.include(`/${operationId}"`);
      for (const { content } of Object.values(responses))
        for (const name of Object.keys(Object(content?.['application/json'])['examples'] ?? {}))
          expect(shown, `${operationId} ${name}`).to.include(`"${name}":{`);
    }
    const points = new Set(openPointsOf(document));
    expect(points.size).to.be.above(20);
    for (const point of points) {
      expect(text('open-points.html'), point).to.include(`<tr role="row" id="${point}">`);
      expect(shown, point).to.include(`[provisional: ${point}](open-points.html#${point})`);
    }
    expect(shown).to.not.include('x-open-point":');
  });

  it('shows each event with its body and the three headers of its signature', () => {
    const shown = JSON.parse(text('assets/contract.js').replace(/^globalThis\.contract = |;\s*$/g, ''));
    expect(Object.keys(shown.webhooks)).to.have.members([
      'EID_SUCCESS',
      'KYC_VERIFICATION_DATA',
      'FORENSIC_ANALYSIS_DATA',
    ]);
    for (const [name, { post }] of Object.entries<{ post: { parameters: { $ref: string }[]; requestBody: object } }>(
      shown.webhooks,
    )) {
      const headers = post.parameters.map(({ $ref }) => shown.components.parameters[$ref.split('/').at(-1) ?? ''].name);
      expect(headers, name).to.deep.equal(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      expect(JSON.stringify(post.requestBody), name).to.include(`{"event":"${name}"`);
      expect(text('index.html'), name).to.include(`reference.html#tag/events/webhook/${name}`);
    }
  });

  it('offers to try requests in the sandbox, never in live', async () => {
    const serversOf = ({ files }: Site): string[] => {
      const shown = files.get('assets/contract.js')?.content.toString() ?? '';
      return JSON.parse(shown.replace(/^globalThis\.contract = |;\s*$/g, '')).servers.map(
        ({ url }: { url: string }) => url,
      );
    };
    expect(serversOf(site)).to.deep.equal(['https://sandbox.tenant-screening.example/api/v1']);
    expect(serversOf(await buildSite('http://localhost:3000/api/v1'))).to.deep.equal(['http://localhost:3000/api/v1']);
    expect(text('assets/contract.js')).to.include(
      'Live, `https://api.tenant-screening.example/api/v1`, is for servers',
    );
  });

  it('contains no inline script or style and refers to no external file', () => {
    for (const [path, { content }] of site.files) {
      if (!path.endsWith('.html')) continue;
      const html = content.toString();
      expect(html, path).to.not.match(/<script(?! src="assets\/)|<style|<[^>]+ (on[a-z]+|style)=/);
      expect(html, path).to.include(`content="default-src 'none'; script-src 'self' file:; `);
      expect(html, path).to.not.match(/(src|<link[^>]+href)="(https?:)?\/\//);
      const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
      expect(levels[0], path).to.equal(1);
      levels.slice(1).forEach((level, index) => {
        expect(level, `${path}: heading ${index + 2}`).to.be.within(2, (levels[index] ?? 1) + 1);
      });
    }
  });

  it('contains the exact bytes that Scalar’s plugin serves in a Fastify instance', () => {
    const bundle = site.files.get('assets/scalar.js')?.content ?? '';
    expect(createHash('sha256').update(bundle).digest('hex'), 'after an update, ask Fastify again').to.equal(
      'bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c',
    );
  });

  it('treats Markdown as text: markup and scripts in it are shown, not run', () => {
    const { html } = renderMarkdown('# A\n\n<script>1</script> [x](javascript:alert(1))\n\n```sh\n<b>\n```\n');
    expect(html).to.not.match(/<script|<b>|href="javascript/);
  });

  it('is written to a folder by npm run site', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-site-'));
    try {
      const script = fileURLToPath(new URL('../../scripts/site.ts', import.meta.url));
      await writeFile(join(folder, 'mine.txt'), 'mine');
      const { stdout } = await run(process.execPath, [
        script,
        '--folder',
        folder,
        '--sandbox',
        'https://own.example/v1/',
      ]);
      expect(stdout).to.include(`file://${folder}/index.html`);
      expect(await readFile(join(folder, 'mine.txt'), 'utf8'), 'what is not ours').to.equal('mine');
      for (const [path, { content }] of (await buildSite('https://own.example/v1')).files)
        expect((await readFile(join(folder, path))).equals(content), path).to.equal(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('prints the usage of npm run site for invalid arguments', async () => {
    const script = fileURLToPath(new URL('../../scripts/site.ts', import.meta.url));
    const asked = ['--nothing', 'dist/site', '--folder', '--folder=', '--sandbox', '--sandbox=nowhere'];
    const addresses = ['https://a:b@c.example/', 'https://c.example/?d', 'https://c.example/#', 'file:///etc'];
    for (const argument of [...asked, ...addresses.map((address) => `--sandbox=${address}`)]) {
      const refused = await run(process.execPath, [script, argument]).catch((error) => error);
      expect(refused, argument).to.include({ code: 2, stdout: '' });
      expect(refused.stderr, argument).to.match(/^(.+\n)?Usage: npm run site .+\n$/);
    }
  });

  it('prints the usage of npm run site for --help, without an error', async () => {
    const script = fileURLToPath(new URL('../../scripts/site.ts', import.meta.url));
    const { stdout, stderr } = await run(process.execPath, [script, '--help']);
    expect(stdout).to.match(/^Usage: npm run site .+\n$/);
    expect(stderr).to.equal('');
  });
});
