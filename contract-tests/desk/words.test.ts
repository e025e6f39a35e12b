import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import { IntlMessageFormat } from 'intl-messageformat';
import { type DeskMessage, deskCatalogueOf } from '../../core/texts/desk-texts.ts';
import { deskLanguages, locales } from '../../core/texts/languages.ts';
import reportCatalogue from '../../core/texts/report/en.json' with { type: 'json' };
import type { ReportMessage, ReportTexts } from '../../core/texts/report-texts.ts';
import { Texts } from '../../core/texts/texts.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { createDesk } from '../../http/backoffice/desk.ts';
import { deskRoutes } from '../../http/backoffice/routes.ts';
import { type Scene, setScene } from '../console/scene.ts';
import { partsOf } from '../core/message-parts.ts';
import { pseudoMessage } from '../pages/pseudo-language.ts';

databases('either');

const english = deskCatalogueOf('en');
const names = Object.keys(english).filter((name): name is DeskMessage => name in english);

describe('the words of the desk', () => {
  for (const language of deskLanguages)
    it(`are complete in ${language}, with the same values, and without straight quotes or outer spaces`, () => {
      const catalogue = deskCatalogueOf(language);
      expect(Object.keys(catalogue)).to.deep.equal(names);
      for (const name of names) {
        expect(catalogue[name], name).to.not.match(/['"]| {2}|^ | $|\.\.\./);
        const [ours, theirs] = [catalogue[name], english[name]].map((text) =>
          partsOf(new IntlMessageFormat(text, locales[language]).getAst()),
        );
        expect(ours?.needs, name).to.deep.equal(theirs?.needs);
        const isSentence = english[name].replaceAll(/\{[^}]*\}/g, '').split(' ').length > 3;
        if (language !== 'en' && isSentence) expect(catalogue[name], name).to.not.equal(english[name]);
      }
    });

  const test = useService({ RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let admin: MemberBrowser;
  let stop: () => void;
  let origin = '';
  const used = new Set<string>();

  before(async () => {
    const pseudo: Record<string, string> = {};
    for (const name of names) pseudo[name] = pseudoMessage(english[name]);
    const observed = new Proxy(
      { ...english, ...pseudo },
      {
        get: (messages, name, receiver) => {
          used.add(String(name));
          return Reflect.get(messages, name, receiver);
        },
      },
    );
    // Where browsers have passkeys.
    test.service.runtime.publicUrl = () => 'http://localhost';
    const texts = new Texts<DeskMessage>(observed, 'ar-XB', 'ar-EG-u-nu-latn', 'rtl');
    const reports = pseudoReports();
    const app = express().use(
      createDesk(
        test.service.runtime,
        test.config,
        () => texts,
        () => reports,
      ),
    );
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stop = () => server.close();
    const address = server.address();
    origin = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
    admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
  });
  after(() => stop?.());

  /** Opens a page in the pseudo-language, in the session of the admin. */
  async function read(path: string, form?: Record<string, string>): Promise<string> {
    const [cookie] = admin.browser.cookies.get(new URL(test.service.url).origin) ?? [];
    const answer = await fetch(`${origin}/desk${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { cookie: `desk=${cookie?.value}` },
      body: form ? new URLSearchParams(form) : null,
      redirect: 'manual',
    });
    return answer.text();
  }

  const places = [
    '/nowhere',
    '/applications/none',
    '/deliveries?status=lost',
    '/sign-in',
    '/sign-in?asked',
    '/sign-in/used',
  ];
  const empty = ['/deliveries?webhook=none', '/applications?email=none', '/webhooks?status=failing'];
  // What a report says is in the language in which it was made.
  const pages = deskRoutes.filter(({ method, path }) => method === 'GET' && path !== '/reports/:id/page');
  for (const place of [...pages.map(({ path }) => path), ...places, ...empty])
    it(`are the only words on ${place}: all else is marked as a name, an identifier or a technical text`, async () => {
      const examples = { ...scene.examples, '/members/': admin.id };
      const text = await read(place.includes(':') ? addressOf({ path: place }, { examples }) : place);
      expect(wordsOutside(text)).to.deep.equal([]);
    });

  it('are the only words of refusals', async () => {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await read('/account'))?.[1] ?? '';
    for (const { method, path } of deskRoutes.filter(
      (route) => route.method === 'POST' && !/delete|disable|end-session/.test(route.path),
    )) {
      expect(method).to.equal('POST');
      const examples = { ...scene.examples, '/members/': admin.id };
      const text = await read(addressOf({ path }, { examples }), { csrf });
      expect(wordsOutside(text), path).to.deep.equal([]);
    }
  });
});

function pseudoReports(): ReportTexts {
  const messages = Object.entries(reportCatalogue);
  const pseudo = Object.fromEntries(messages.map(([name, text]) => [name, pseudoMessage(text)]));
  return new Texts<ReportMessage>({ ...reportCatalogue, ...pseudo }, 'ar-XB', 'ar-EG-u-nu-latn', 'rtl');
}

const NAMES = /<(bdi|code|time|title)\b[^>]*>[\s\S]*?<\/\1>/g;
const MARKED = /<(\w+)\b[^>]*(?:translate="no"|lang="en")[^>]*>[\s\S]*?<\/\1>/g;
const CHOICES = /<option value="[^"]*"[^>]*>[^<]*<\/option>/g;
/** Names of fields and formats, which are the same in every language. */
const TECHNICAL = /^(client_id:?|UTC|https:\/\/|id|[A-Z_]+_(SUCCESS|DATA)|\w+\/[\w.+-]+, \P{L}*\p{L}*)$/u;

/** Visible words, and those that screen readers read, with Latin letters, outside of what is marked. */
function wordsOutside(markup: string): string[] {
  const [, body = ''] = /<body[^>]*>([\s\S]*)<\/body>/.exec(markup) ?? [];
  const own = [CHOICES, NAMES, MARKED].reduce((text, marked) => text.replaceAll(marked, ''), body);
  const named = [...own.matchAll(/(?:aria-label|placeholder|alt)="([^"]*)"/g)].map(([, text = '']) => text);
  return [...named, ...own.replaceAll(/<[^>]+>/g, '\n').split('\n')]
    .map((text) => text.replaceAll(/&#?\w+;/g, '').trim())
    .filter((text) => /[A-Za-z]{2}/.test(text) && !TECHNICAL.test(text));
}
