import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { deskRoutes } from '../../http/backoffice/routes.ts';
import { attack } from '../console/attacks.ts';
import { setScene } from '../console/scene.ts';

databases('either');

const HOUR_MS = 3_600_000;

describe('attacks on the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const scene = suiteFixture(() => setScene(test));
  const enter = (role: 'admin' | 'viewer') => MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours });
  const victim = suiteFixture(() => enter('admin'));
  const example = suiteFixture(() => addTestMember(test, 'viewer', { landlordId: test.landlords.ours }));
  const place = (route: Pick<(typeof deskRoutes)[number], 'path'>) =>
    addressOf(route, { examples: { ...scene.examples, '/members/': example.id } });

  it('nothing that a request says makes an old sign-in recent', async () => {
    const { db } = test.service.runtime;
    const routes = deskRoutes.filter(({ needsProof }) => needsProof);
    expect(routes).to.have.length.above(5);
    const old = await enter('admin');
    await old.open('/');
    const created_at = new Date(Date.now() - HOUR_MS).toISOString();
    await db('member_sessions').where({ member_id: old.id }).update({ created_at });
    const before = (await db('audit_entries').count({ n: '*' }))[0]?.n;
    for (const route of routes)
      for (const form of [{}, { provedAt: new Date().toISOString(), proved: 'true', needsProof: 'false' }]) {
        const answer = route.method === 'GET' ? await old.open(place(route)) : await old.act(place(route), form);
        expect(answer.status, route.path).to.equal(403);
        expect(answer.text, route.path).to.include('sign-in');
      }
    expect((await db('audit_entries').count({ n: '*' }))[0]?.n).to.equal(before);
  });

  attack({
    name: 'desk',
    test,
    routes: deskRoutes,
    place,
    victim,
    enter: () => enter('admin'),
    enterAsViewer: () => enter('viewer'),
    link: async () => (await addTestMember(test, 'admin', { landlordId: test.landlords.ours })).link,
  });
});
