import { expect } from 'chai';
import { memberRoles } from '../../db/access/members.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { deskRoutes } from '../../http/backoffice/routes.ts';
import { type Scene, setScene } from '../console/scene.ts';

databases('either');

type Browsers = Record<(typeof memberRoles)[number], MemberBrowser>;

/**
 * Requests every route of the desk as every role, as a member of another API key and as one of another landlord. Permissions are defined in
 * the route table and nowhere else; whose things they are is decided by the finders.
 */
describe('the routes of the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let ours: Browsers;
  let ofBob: Browsers;
  let outside: MemberBrowser;
  /** The pages and files with which an admin's look at a person's results was recorded. */
  const withResults = new Set<string>();
  /** The values of path parameters: things of Alice's key. */
  let example: Pick<Scene, 'examples'>;

  before(async () => {
    const signIn = async (landlordId: string, clientIds: string[]) => {
      const of = { landlordId, clientIds };
      const [admin, agent, developer, viewer] = await Promise.all(
        memberRoles.map((role) => MemberBrowser.signIn(test, role, of)),
      );
      if (!admin || !agent || !developer || !viewer) throw new Error('A role is missing.');
      return { admin, agent, developer, viewer };
    };
    ours = await signIn(test.landlords.ours, [test.alice.clientId]);
    ofBob = await signIn(test.landlords.ours, [test.bob.clientId]);
    outside = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    const { id } = await addTestMember(test, 'viewer', { landlordId: test.landlords.ours });
    example = { examples: { ...scene.examples, '/members/': id } };
  });

  /** A form that is not taken is shown again on its page, whose read is recorded. */
  const entries = async () => {
    const acts = test.service.runtime.db('audit_entries').whereNot('action', 'like', '%.read');
    return Number((await acts.count({ n: '*' }))[0]?.n);
  };
  const request = (browser: MemberBrowser, method: string, path: string) =>
    method === 'GET' ? browser.open(path) : browser.act(path);

  it('include every page and action that a member can have, each with at least one role', () => {
    expect(deskRoutes.length).to.be.above(40);
    for (const { members } of deskRoutes) expect(members).to.not.deep.equal([]);
    for (const role of memberRoles) expect(deskRoutes.some(({ members }) => members.includes(role))).to.equal(true);
  });

  const lists = deskRoutes.filter(({ method, path }) => method === 'GET' && !path.includes('/:'));
  for (const { path, members } of lists)
    it(`GET ${path} shows nothing of another landlord or API key, whatever its filters name`, async () => {
      const { alice } = test;
      const own = isOfLandlord(path) ? (place: string) => !isOfLandlord(place) : () => true;
      const ids = Object.entries(scene.examples).flatMap(([place, id]) => (own(place) && id.length > 20 ? [id] : []));
      const theirs = [...ids, scene.paused, 'letting.example', 'Calle de Alcalá', 'marta.ruiz'];
      const filters = [
        ...['', `?client_id=${alice.clientId}`, `?landlord=${test.landlords.ours}`, `?webhook=${scene.hook.id}`],
        ...[
          `?webhook=${scene.paused}&status=held`,
          '?email=marta.ruiz@mail.example',
          '?status=failed',
          '?status=paused',
        ],
      ];
      for (const stranger of [outside, ...members.filter((role) => role !== 'admin').map((role) => ofBob[role])])
        for (const filter of filters) {
          const { status, text } = await stranger.open(`${path}${filter}`);
          expect(status).to.be.oneOf([200, 400]);
          // What the reader typed, and who they are themselves, is theirs.
          const shown = text.replaceAll(/value="[^"]*"/g, '').replaceAll(stranger.mail, '');
          for (const id of theirs) expect(shown.includes(id), `${filter}: ${id}`).to.equal(false);
        }
    });

  // What deletes comes last: the other routes need what it would delete.
  const sorted = deskRoutes.toSorted((a, b) => Number(isFinal(a.path)) - Number(isFinal(b.path)));
  for (const route of sorted) {
    const { method, path, members } = route;
    const name = `${method} ${path}`;

    it(`${name} answers unauthenticated requests with 401, unknown sessions included`, async () => {
      const address = `${test.service.url}/desk${addressOf(route, example)}`;
      for (const cookie of ['', `desk=${'a'.repeat(43)}`]) {
        const answer = await fetch(address, { method, headers: { cookie }, redirect: 'manual' });
        expect(answer.status).to.equal(401);
        expect(await answer.text()).to.include('You are signed out');
      }
    });

    if (path.includes('/:'))
      it(`${name} answers alike for what is another landlord’s, another API key’s, and absent`, async () => {
        const here = addressOf(route, example);
        const absent = addressOf(route, {
          examples: Object.fromEntries(Object.keys(example.examples).map((place) => [place, ABSENT])),
        });
        const strangers = isOfLandlord(path) ? [outside] : [outside, ...members.map((role) => ofBob[role])];
        const before = await entries();
        for (const stranger of strangers.filter((one) => one !== ofBob.admin)) {
          const [theirs, none] = [await request(stranger, method, here), await request(stranger, method, absent)];
          expect(theirs.status).to.equal(404);
          expect(theirs.text).to.equal(none.text);
          expect(withoutDate(theirs.headers)).to.deep.equal(withoutDate(none.headers));
        }
        expect(await entries()).to.equal(before);
      });

    for (const role of memberRoles.filter((one) => !members.includes(one)))
      it(`${name} refuses the role ${role} alike for what exists and what does not, and changes nothing`, async () => {
        const before = await entries();
        const answer = await request(ours[role], method, addressOf(route, example));
        expect(answer.status).to.equal(403);
        expect(answer.text).to.include('Your role does not include this.');
        expect(await entries()).to.equal(before);
      });

    if (method === 'POST')
      it(`${name} refuses a form without a CSRF token, with another session’s token, or from another site`, async () => {
        const [role = 'admin'] = members;
        const before = await entries();
        const address = addressOf(route, example);
        expect((await ours[role].act(address, { csrf: '' })).status).to.equal(403);
        const other = /name="csrf" value="([^"]+)"/.exec((await outside.open('/')).text)?.[1] ?? '';
        expect((await ours[role].act(address, { csrf: other })).status).to.equal(403);
        const csrf = /name="csrf" value="([^"]+)"/.exec((await ours[role].open('/')).text)?.[1] ?? '';
        const [cookie] = ours[role].browser.cookies.get(new URL(test.service.url).origin) ?? [];
        for (const site of ['cross-site', 'same-site', 'none']) {
          const headers = { cookie: `desk=${cookie?.value}`, 'sec-fetch-site': site };
          const body = new URLSearchParams({ csrf });
          const answer = await fetch(`${test.service.url}/desk${address}`, {
            method,
            headers,
            body,
            redirect: 'manual',
          });
          expect(answer.status, site).to.equal(403);
        }
        expect(await entries()).to.equal(before);
      });

    for (const role of members)
      it(`${name} lets the role ${role} through`, async () => {
        const answer = await request(ours[role], method, addressOf(route, example));
        // The response to a form without fields depends on the action; an action that deletes succeeds once.
        if (method === 'GET') expect(answer.status).to.equal(200);
        else expect(answer.status).to.be.oneOf(isFinal(path) ? [200, 303, 404] : [200, 303, 400, 409]);
        if (method === 'GET' && 'main' in route) expect(answer.text.match(/<h1/g)).to.have.length(1);
      });

    if (method === 'GET')
      it(`${name} is only for roles that decide about applications, if it shows results`, async () => {
        const { db } = test.service.runtime;
        await db('looks').delete();
        await request(ours.admin, method, addressOf(route, example));
        if (!(await db('looks').first())) return;
        withResults.add(path);
        expect(members).to.deep.equal(['admin', 'agent']);
      });
  }

  it('show results on several pages, none of them to viewers and developers', async () => {
    expect([...withResults]).to.include.members([
      '/people/:id',
      '/analyses/:id',
      '/applications/:id/income',
      '/reports/:id/page',
    ]);
    const { db } = test.service.runtime;
    await db('looks').delete();
    for (const role of ['viewer', 'developer'] as const)
      for (const route of deskRoutes.filter(({ method }) => method === 'GET')) {
        const { text } = await request(ours[role], 'GET', addressOf(route, example));
        for (const result of ['payslip-2024-05.pdf', 'badge bad">tampered', 'no finding'])
          expect(text, `${role}: ${route.path}`).to.not.include(result);
      }
    expect(await db('looks').first()).to.equal(undefined);
  });
});

/** Members, workspaces and properties belong to the landlord, not to one of its API keys (product document 5.8). */
function isOfLandlord(path: string): boolean {
  return ['/members', '/workspaces', '/properties'].some((place) => path.startsWith(place));
}

const ABSENT = '0199c2f0-0000-7000-8000-000000000000';

function isFinal(path: string): boolean {
  return path.endsWith('/delete') || path.endsWith('/disable');
}

/** The headers that do not name the moment or the request. */
function withoutDate(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'));
}
