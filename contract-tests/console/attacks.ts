import { request } from 'node:http';
import { expect } from 'chai';
import { columnsOfTables } from '../../harness/database/schema.ts';
import type { MemberBrowser } from '../../harness/service/members.ts';
import type { TestService } from '../../harness/service/service.ts';
import { routesAt } from '../../http/backoffice/office.ts';
import type { OfficeRoute } from '../../http/backoffice/route.ts';
import type { OperatorBrowser } from './operators.ts';

type AttackedRoute = Pick<OfficeRoute, 'method' | 'path' | 'members' | 'role'>;
type Session = Pick<OperatorBrowser | MemberBrowser, 'browser' | 'base' | 'open' | 'act'>;

/** A back office, with everything that an attacker could aim at. */
export interface Attacked {
  name: 'console' | 'desk';
  test: TestService;
  routes: readonly AttackedRoute[];
  /** The path of a route below the office, with the scene's things. */
  place(route: Pick<OfficeRoute, 'path'>): string;
  /** The session of an account that may do everything. */
  victim: Session;
  /** A new session of another account that may do the same. */
  enter(): Promise<Session>;
  /** A session of an account that may only look. */
  enterAsViewer(): Promise<Session>;
  /** A link that signs in, and the cookie that its use sets. */
  link(): Promise<string>;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Breaks out of attributes and texts if it is not escaped, and names where it was put. */
const evil = (where: string) => `javascript:"'><x-evil at="${where}"></x-evil>&lt;\r\nX-Evil: 1`;
const FINAL = /delete|disable|revoke|sign-out|end-session|remove|erase|anonymi/;

/** Sends a request target unchanged: HTTP clients would normalize it. */
export function raw(base: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': FORM, 'content-length': `${Buffer.byteLength(body)}` };
    const asked = request(
      { hostname, port, method, path, headers: { ...type, ...headers }, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece) => {
          text += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        answer.on('error', reject);
      },
    );
    asked.on('error', reject).end(body);
  });
}

const FORM = 'application/x-www-form-urlencoded';

/** Attacks every page and action of an office, as its table of routes lists them. */
export function attack(of: Attacked): void {
  const { name, routes } = of;
  const root = `/${name}`;
  const origin = () => new URL(of.victim.base).origin;
  const cookieOf = ({ browser }: Session) =>
    `${name}=${browser.cookies.get(origin())?.find((cookie) => cookie.name === name)?.value}`;
  const tokenOf = async (session: Session) =>
    /name="csrf" value="([^"]+)"/.exec((await session.open('/')).text)?.[1] ?? expect.fail('no token');
  /** Reads are recorded, too. */
  const entries = async () => {
    const { db } = of.test.service.runtime;
    return Number((await db('audit_entries').whereNot('action', 'like', '%.read').count({ n: '*' }))[0]?.n);
  };
  const pages = routes.filter(({ method }) => method === 'GET');
  const actions = routes.filter(({ method }) => method === 'POST');
  /** What must hold for every answer, whatever was sent. */
  async function send(path: string, sent: Sent = {}): Promise<Answer> {
    const answer = await raw(origin(), path, sent);
    const { status, headers, text } = answer;
    const what = `${sent.method ?? 'GET'} ${path}: ${status}`;
    expect(status, what).to.be.below(500);
    expect(headers, what).to.not.have.property('x-evil');
    expect(text, what).to.not.match(/<x-evil|(?:href|src|action)="\s*javascript:/i);
    const { location } = headers;
    if (location !== undefined)
      expect(new URL(location, `${origin()}${path}`).href, what).to.satisfy((to: string) =>
        to.startsWith(`${origin()}${root}`),
      );
    return answer;
  }
  const asVictim = (path: string, sent: Sent = {}) =>
    send(path, { ...sent, headers: { cookie: cookieOf(of.victim), ...sent.headers } });

  it('no other spelling of a path bypasses the guard', async () => {
    for (const route of pages) {
      const path = of.place(route);
      const last = path.slice(path.lastIndexOf('/') + 1);
      for (const spelled of [
        ...[`${root}${path}`, `${root}/.${path}`, `${root}/${path}`, `${root}/sign-in/..${path}`, `${root};x${path}`],
        ...[`${root}/sign-out/..${path}`, `${origin()}${root}${path}`, `${root.toUpperCase()}${path}`],
        ...[
          `${root}/assets/..${path}`,
          `${root}${path}%2f`,
          `${root}/%2e${path}`,
          `${root}${path.replace(last, `%${last.charCodeAt(0).toString(16)}${last.slice(1)}`)}`,
        ],
      ]) {
        const { status, text } = await send(spelled);
        expect(status, spelled).to.be.oneOf([308, 400, 401, 404]);
        expect(text, spelled).to.not.match(/letting\.example|Marta Ruiz|marta\.ruiz/);
      }
    }
  });

  it('an id that no row can hold, or that leads elsewhere, is not found', async () => {
    const csrf = await tokenOf(of.victim);
    const ids = [
      ...['%00', '%ff', '..%2f..%2f', '%2e%2e', '9'.repeat(2_000)],
      ...['%27%20or%201%3d1--', '%3Cx-evil%3E', '%0d%0aX-Evil:1'],
    ];
    for (const { method, path } of routes.filter((route) => route.path.includes('/:')))
      for (const id of ids) {
        const sent = method === 'POST' ? { method, body: `csrf=${csrf}` } : { method };
        const at = `${root}${path.replace(/:\w+/, id)}`;
        expect((await asVictim(at, sent)).status, at).to.be.oneOf([400, 403, 404]);
      }
  });

  it('HEAD reveals no more than GET, and methods of other names reveal and change nothing', async () => {
    const before = await entries();
    for (const route of routes) {
      const path = `${root}${of.place(route)}`;
      const head = await send(path, { method: 'HEAD' });
      expect([401, 405], `HEAD ${path}`).to.include(head.status);
      expect(head.text).to.equal('');
      for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
        const { status, headers } = await asVictim(path, { method, headers: { 'x-http-method-override': 'POST' } });
        expect(status, `${method} ${path}`).to.equal(405);
        expect(headers['access-control-allow-origin'], path).to.equal(undefined);
      }
    }
    expect(await entries()).to.equal(before);
  });

  it('a forged host changes no link, no redirect and no cookie of any page', async () => {
    const forged = {
      ...{ host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      ...{ forwarded: 'host=evil.example', 'x-original-url': '/evil.example', 'x-rewrite-url': '/evil.example' },
    };
    for (const path of ['', '/', '/sign-in', ...pages.map(of.place)]) {
      const { text, headers } = await asVictim(`${root}${path}`, { headers: forged });
      expect(`${text} ${headers.location ?? ''} ${headers['set-cookie'] ?? ''}`, path).to.not.include('evil.example');
    }
  });

  it('no page or action can be cached, framed, sniffed or made to run foreign scripts, signed in or not', async () => {
    const strangers = ['/nowhere', '/sign-in', '/sign-in/unknown', '/', ''].map((path) => ({
      method: 'GET' as const,
      path,
    }));
    for (const route of [...strangers, ...routes])
      for (const cookie of ['', cookieOf(of.victim)]) {
        const path = `${root}${of.place(route)}`;
        const { headers, status } = await send(path, { method: route.method, headers: { cookie } });
        const policy = String(headers['content-security-policy']);
        expect(policy, path)
          .to.match(/^default-src 'none'/)
          .and.include("frame-ancestors 'none'");
        // A file of a page may carry its own style; it is sandboxed.
        if (!policy.includes('sandbox')) expect(policy, path).to.include("base-uri 'none'").and.not.include('unsafe');
        expect(headers, `${status} ${path}`).to.include({
          ...{ 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' },
          ...{ 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' },
        });
      }
  });

  it('a form of another session, another site or another type changes nothing, whatever the action', async () => {
    const [other, viewer] = [await of.enter(), await of.enterAsViewer()];
    const [ours, theirs, viewers] = [await tokenOf(of.victim), await tokenOf(other), await tokenOf(viewer)];
    const victim = cookieOf(of.victim);
    const left = await of.enter();
    const [leftCookie, leftToken] = [cookieOf(left), await tokenOf(left)];
    await left.act('/sign-out');
    const before = await entries();
    const tries: [headers: Record<string, string>, csrf: string, statuses: number[]][] = [
      [{ cookie: victim }, theirs, [403]],
      [{ cookie: cookieOf(other) }, ours, [403]],
      [{ cookie: victim, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, ours, [403]],
      [{ cookie: victim, 'sec-fetch-site': 'same-site' }, ours, [403]],
      [{ cookie: `${cookieOf(viewer)}; ${victim}` }, ours, [401, 403]],
      [{ cookie: `${name}=${'a'.repeat(43)}` }, ours, [401]],
      [{ cookie: victim.toUpperCase() }, ours, [401]],
      [{}, ours, [401]],
      [{ cookie: leftCookie }, leftToken, [401]],
      [{ cookie: victim }, leftToken, [403]],
      [{ cookie: victim }, '', [403]],
      ...['application/json', 'text/plain', 'multipart/form-data; boundary=x'].map((type): (typeof tries)[number] => [
        { cookie: victim, 'content-type': type },
        ours,
        [400, 403],
      ]),
    ];
    for (const route of actions) {
      const path = `${root}${of.place(route)}`;
      for (const [headers, csrf, statuses] of tries) {
        const { status } = await send(path, { method: 'POST', headers, body: `csrf=${csrf}&reason=attack` });
        expect(status, `${path} ${JSON.stringify(headers)}`).to.be.oneOf(statuses);
      }
      const { status } = await asVictim(`${path}?csrf=${ours}`, { method: 'POST', body: '' });
      expect(status, `${path}, token in the address`).to.equal(403);
      const ask = await asVictim(`${path}?csrf=${ours}&_method=POST`);
      expect(ask.status, path).to.be.oneOf([200, 403, 404, 405]);
      if (name === 'desk' ? route.members.includes('viewer') : route.role === 'viewer') continue;
      const sent = { method: 'POST', headers: { cookie: cookieOf(viewer) }, body: `csrf=${viewers}` };
      expect((await send(path, sent)).status, `${path} as a viewer`).to.equal(403);
    }
    expect(await entries()).to.equal(before);
  });

  it('no form is read before its session is known, whatever the action', async () => {
    const types: [headers: Record<string, string>, body: string][] = [
      [{ 'content-type': 'multipart/form-data; boundary=x' }, '--y'],
      [{ 'content-type': 'multipart/form-data' }, '--x--'],
      [{ 'content-encoding': 'unknown' }, 'csrf=x'],
      [{}, 'x=\0&'.repeat(1_000)],
      // Its sender would wait for an answer to what it does not send.
      [{ 'content-length': '1000' }, ''],
    ];
    for (const route of actions)
      for (const [headers, body] of types) {
        const path = `${root}${of.place(route)}`;
        const { status } = await send(path, { method: 'POST', headers, body });
        expect(status, `${path} ${JSON.stringify(headers)}`).to.equal(401);
      }
  });

  it('a form of more fields than any form has is refused, in both encodings, whatever the action', async () => {
    const csrf = await tokenOf(of.victim);
    const before = await entries();
    const fields = [['csrf', csrf], ...Array.from({ length: 500 }, (_, index) => [`x${index}`, '1'])];
    const part = ([name, value]: string[]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const forms: [type: string, body: string][] = [
      [FORM, fields.map((field) => field.join('=')).join('&')],
      ['multipart/form-data; boundary=x', `${fields.map(part).join('')}--x--\r\n`],
    ];
    for (const route of actions)
      for (const [type, body] of forms) {
        const path = `${root}${of.place(route)}`;
        const sent = { method: 'POST', headers: { 'content-type': type }, body };
        // Most read no form of parts at all, and miss the token.
        expect((await asVictim(path, sent)).status, `${path} ${type}`).to.be.oneOf(type === FORM ? [400] : [400, 403]);
      }
    expect(await entries()).to.equal(before);
  });

  it('text that no row can hold is refused in every address and form, whatever the route', async () => {
    const csrf = await tokenOf(of.victim);
    const before = await entries();
    for (const { path } of pages) {
      const at = `${root}${of.place({ path })}`;
      expect((await asVictim(`${at}?status=%00`)).status, at).to.equal(400);
      expect((await asVictim(`${at}?${'x=1&'.repeat(500)}`)).status, `${at} with many fields`).to.equal(400);
    }
    for (const { path } of actions)
      for (const field of ['delivery=%00', '%00=delivery']) {
        const at = `${root}${of.place({ path })}`;
        const sent = { method: 'POST', body: `csrf=${csrf}&${field}` };
        expect((await asVictim(at, sent)).status, `${at} ${field}`).to.equal(400);
      }
    expect(await entries()).to.equal(before);
  });

  it('a body beyond the limit is refused before the action, whatever the action', async () => {
    const csrf = await tokenOf(of.victim);
    const before = await entries();
    for (const route of actions) {
      const body = `csrf=${csrf}&reason=${'x'.repeat(400 * 1024)}`;
      const path = `${root}${of.place(route)}`;
      expect((await asVictim(path, { method: 'POST', body })).status, path).to.equal(400);
    }
    expect(await entries()).to.equal(before);
  });

  it('a cookie that was known before signing in is worth nothing afterwards', async () => {
    const link = new URL(await of.link());
    const planted = `${name}=${'b'.repeat(43)}`;
    const page = await send(link.pathname, { headers: { cookie: planted } });
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const entered = await send(link.pathname, { method: 'POST', headers: { cookie: planted }, body: `csrf=${csrf}` });
    expect(entered.status).to.equal(303);
    expect(String(entered.headers['set-cookie']))
      .to.match(/HttpOnly/i)
      .and.match(/SameSite=Strict/i)
      .and.not.include(planted);
    expect((await send(`${root}/`, { headers: { cookie: planted } })).status).to.equal(401);
    const replayed = await send(link.pathname, { method: 'POST', headers: { cookie: planted }, body: `csrf=${csrf}` });
    expect(replayed.status).to.equal(404);
  });

  it('a page to open after signing in is never elsewhere', async () => {
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '\\\\evil.example',
      '/%0d%0aX-Evil:1',
      'javascript:alert(1)',
      '..//evil.example',
    ])
      for (const key of ['opens', 'next', 'to', 'redirect_url', 'notice']) {
        const query = `?${key}=${encodeURIComponent(to)}`;
        for (const path of ['/', '/sign-in', '//evil.example', '/%2fevil.example'])
          await asVictim(`${root}${path}${query}`);
        const { text } = await asVictim(`${root}/${query}`);
        expect(text).to.not.include('evil.example');
      }
  });

  it('hostile text in every query parameter that pages offer is shown as text, or refused', async () => {
    for (const route of pages) {
      const path = `${root}${of.place(route)}`;
      const { text } = await asVictim(path);
      const names = [...text.matchAll(/<(?:input|select)[^>]* name="([\w-]+)"/g)].map(([, field = '']) => field);
      for (const field of new Set([...names, 'before', 'after', 'page', 'document', 'notice'])) {
        const query = `?${field}=${encodeURIComponent(evil(field))}`;
        expect((await asVictim(`${path}${query}`)).status, query).to.be.oneOf([200, 400, 403, 404]);
      }
    }
  });

  it('hostile text in every field of every form is stored as text, or refused', async () => {
    const csrf = await tokenOf(of.victim);
    const seen = new Set<string>();
    const forms = [];
    for (const route of pages)
      for (const form of formsIn((await asVictim(`${root}${of.place(route)}`)).text)) {
        const action = new URL(form.action, `${origin()}${root}${of.place(route)}`).pathname;
        const [target] = routesAt(actions, action.slice(root.length + 1));
        if (target) forms.push({ ...form, action, target: target.path });
      }
    // Routes that delete come last: earlier attacks need what they would delete.
    for (const { action, fields, target } of forms.toSorted(
      (a, b) => Number(FINAL.test(a.action)) - Number(FINAL.test(b.action)),
    )) {
      const key = `${target} ${fields.map((field) => field.name)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const typed = fields.filter(({ isTyped }) => isTyped);
      const valid = fields.map((field): [string, string] => [field.name, field.value || plausible(field.name)]);
      // Where the form was takes no part in what it does, so that a hostile place alone would do it.
      for (const { name: field } of fields.filter((one) => !['csrf', 'at'].includes(one.name))) {
        const body = new URLSearchParams(valid);
        body.set(field, evil(`${target} ${field}`));
        body.set('at', evil(`${target} at`));
        body.set('csrf', csrf);
        expect((await asVictim(action, { method: 'POST', body: `${body}` })).status, `${action} ${field}`).to.be.below(
          500,
        );
      }
      const body = new URLSearchParams(valid);
      for (const { name: field, type } of typed)
        body.set(
          field,
          type === 'email' ? `<x-evil>${seen.size}@mail.example` : evil(`${target} ${field}`).slice(0, 200),
        );
      body.set('csrf', csrf);
      if (!FINAL.test(action)) await asVictim(action, { method: 'POST', body: `${body}` });
    }
    const reached = new Set(forms.map(({ target }) => target));
    expect(reached.size, `forms were found for ${[...reached]}`).to.be.at.least(actions.length * 0.6);
    for (const route of pages)
      expect((await asVictim(`${root}${of.place(route)}`)).status, route.path).to.be.oneOf([200, 404]);
    expect((await asVictim(`${root}/`)).status).to.equal(200);
  });

  it('hostile text in every column that holds text is shown as text', async () => {
    const { db } = of.test.service.runtime;
    const put: string[] = [];
    for (const { table, column } of await columnsOfTables(db)) {
      const [row] = await db(table)
        .whereNotNull(column)
        .limit(1)
        .pluck(column)
        .catch(() => []);
      if (typeof row !== 'string' || isForMachines(row)) continue;
      const where = `${table}.${column}`;
      const done = await db(table)
        .whereNotNull(column)
        .update({ [column]: evil(where).replaceAll('\r\n', ' ') })
        .catch(() => 0);
      if (done > 0) put.push(where);
    }
    const shown = new Set<string>();
    for (const route of pages) {
      const { status, text } = await asVictim(`${root}${of.place(route)}`);
      expect(status, route.path).to.be.oneOf([200, 404]);
      for (const [, where = ''] of text.matchAll(/x-evil at=&#34;([\w.]+)&#34;/g)) shown.add(where);
    }
    expect(put).to.have.length.above(20);
    expect([...shown], `of ${put}`).to.have.length.above(10);
  });
}

interface FormOnPage {
  action: string;
  fields: { name: string; value: string; type: string; isTyped: boolean }[];
}

function formsIn(markup: string): FormOnPage[] {
  return [...markup.matchAll(/<form[^>]* method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inner = '']) => {
      const inputs = [...inner.matchAll(/<input type="([\w-]+)" name="([\w-]+)"(?: value="([^"]*)")?/g)];
      const areas = [...inner.matchAll(/<textarea name="([\w-]+)"/g)];
      const choices = [...inner.matchAll(/<select name="([\w-]+)">([\s\S]*?)<\/select>/g)];
      return {
        action,
        fields: [
          ...inputs.map(([, type = '', name = '', value = '']) => ({
            name,
            value,
            type,
            isTyped: ['text', 'email', 'url'].includes(type),
          })),
          ...areas.map(([, name = '']) => ({ name, value: '', type: 'text', isTyped: true })),
          ...choices.map(([, name = '', options = '']) => ({
            name,
            value: /<option value="([^"]+)"/.exec(options)?.[1] ?? '',
            type: 'select',
            isTyped: false,
          })),
        ],
      };
    },
  );
}

function plausible(field: string): string {
  if (/mail/.test(field)) return 'someone@mail.example';
  if (/url/.test(field)) return 'https://letting.example/hook';
  return /amount|rent|days|hours/.test(field) ? '7' : 'Attack';
}

/** Times, identifiers, digests, JSON, numbers and words of enumerations: what is written by programs, for programs. */
function isForMachines(value: string): boolean {
  return /^\d{4}-\d\d|^[\w-]{20,}$|^[[{]|^-?[\d.]+$|^[a-z_]+$|^[A-Z_]+$|^[\w+/=-]{40,}$|^v\d/.test(value);
}
