import { createServer } from 'node:http';
import { expect } from 'chai';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { listen } from '../../harness/process/running-server.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { createApp } from '../../http/app.ts';
import { startEid } from '../../jobs/identity/eid-flows.ts';

databases('both');

const BACK = 'https://letting.example/eid/finished?case=8121&x=%20#end';

describe('initiate-eid', () => {
  const test = useService();

  /** An account that Alice may address. */
  const applicant = async (email: string) => {
    const body = { title: 'eID', tenants: [{ email, is_lead: true }] };
    await test.alice.ok('createApplication', { body });
    return (await test.tenant(email, { name: 'Eva' })).id;
  };
  const start = async (tenantId: string, redirect_url = BACK) =>
    (await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url } })).data.verification_link;
  const flows = (tenant_id: string) => test.service.runtime.db('eid_flows').where({ tenant_id }).select('status');
  const documents = (tenant_id: string) => test.service.runtime.db('documents').where({ tenant_id }).select('source');
  const events = (tenant_id: string) => test.service.runtime.db('events').where({ tenant_id }).select('event');
  const visit = (link: string) => send(test.service.url, 'GET', link.slice(test.service.url.length));

  it('starts a flow and returns only a link to the service’s page, a new one each time', async () => {
    const tenantId = await applicant('starts@mail.example');
    const answer = await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: BACK } });
    expect(answer.status).to.equal('success');
    expect(answer.data).to.have.all.keys('verification_link');
    const { verification_link } = answer.data;
    expect(verification_link.startsWith(`${test.service.url}/`)).to.equal(true);
    expect(verification_link).to.not.include('letting.example').and.not.include('starts@mail.example');
    expect(await start(tenantId)).to.not.equal(verification_link);
  });

  it('redirects the person to the redirect_url of their own link, once, when it succeeded without them', async () => {
    const tenantId = await applicant('returns+eid-verified@mail.example');
    const other = 'https://letting.example/another';
    const [first, second] = [await start(tenantId), await start(tenantId, other)];
    for (const [link, target] of [
      [first, BACK],
      [second, other],
    ] as const) {
      const answer = await until('the page sends the person on', async () => {
        const page = await visit(link);
        return page.status !== 200 && page;
      });
      expect(answer.status).to.equal(303);
      expect(answer.headers['location']).to.equal(target);
      const again = await visit(link);
      expect([again.status, again.headers['location']]).to.deep.equal([200, undefined]);
      expect(again.text).to.include('Your identity is confirmed').and.not.include('letting.example');
    }
  });

  it('sends EID_SUCCESS once, without data, when the documents are stored', async () => {
    const receiver = await Receiver.start();
    try {
      await test.alice.ok('createWebhook', { body: { url: receiver.url } });
      const tenantId = await applicant('succeeds+eid-verified@mail.example');
      expect(await documents(tenantId)).to.be.empty;
      await start(tenantId);
      const [delivery] = await receiver.next('EID_SUCCESS');
      expect(await documents(tenantId)).to.deep.equal([{ source: 'eid' }]);
      expect(delivery?.body).to.equal('{"event":"EID_SUCCESS","data":null}');
      expect(await flows(tenantId)).to.deep.equal([{ status: 'succeeded' }]);
      expect(await events(tenantId)).to.deep.equal([{ event: 'EID_SUCCESS' }]);
    } finally {
      await receiver.stop();
    }
  });

  it('sends nothing and stores no documents when the flow fails', async () => {
    const tenantId = await applicant('eva+eid-failed@mail.example');
    const link = await start(tenantId);
    await eventually('the flow failed', async () => (await flows(tenantId)).every(({ status }) => status === 'failed'));
    expect(await documents(tenantId)).to.be.empty;
    expect(await events(tenantId)).to.be.empty;
    const page = await visit(link);
    expect([page.status, page.headers['location']], 'the person does not return').to.deep.equal([200, undefined]);
    expect(page.text).to.include('Your identity could not be confirmed');
  });

  describe('with an address that chooses no outcome', () => {
    /** A link, and a browser that has followed it to the simulated sign-in. */
    const signIn = async (email: string) => {
      const tenantId = await applicant(email);
      const link = await start(tenantId);
      const browser = new WebBrowser();
      await browser.agree(link);
      const page = await browser.open((await browser.open(link)).location ?? '');
      const choice = (text: string) => {
        const [, href = ''] = new RegExp(`href="([^"]+)"[^>]*>${text}`).exec(page.text) ?? [];
        return new URL(href.replace('&#38;', '&'), page.url).href;
      };
      return { tenantId, link, browser, page, choice };
    };
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);

    it('leads to the provider only once the person agreed to the text shown, which is stored with the flow', async () => {
      const { db } = test.service.runtime;
      const tenantId = await applicant('agrees@mail.example');
      const link = await start(tenantId);
      const page = await visit(link);
      expect([page.status, page.text.includes('Who sees the result')]).to.deep.equal([200, true]);
      expect((await new WebBrowser().open(link, { shown: 'another text' })).status).to.equal(400);
      const agreement = () => db('eid_flows').where({ tenant_id: tenantId }).first('agreed_at', 'agreed_to');
      expect(await agreement()).to.deep.equal({ agreed_at: null, agreed_to: null });
      expect(await new WebBrowser().agree(link)).to.include({ status: 303 });
      expect((await agreement())?.agreed_to).to.include('What is checked: Who you are.');
      expect((await new WebBrowser().follow(link)).url).to.include('/verify/eid/simulated');
    });

    it('waits for the person, who confirms and is redirected, and only then sends EID_SUCCESS', async () => {
      const receiver = await Receiver.start();
      try {
        await test.alice.ok('createWebhook', { body: { url: receiver.url } });
        const waiting = await applicant('waits@mail.example');
        await start(waiting);
        const { tenantId, browser, page, choice } = await signIn('confirms@mail.example');
        expect(page.status).to.equal(200);
        expect(page.text, 'the caller has the link').to.not.include('Eva');
        expect((await browser.open(choice('Confirm my identity'))).location).to.equal(BACK);
        await receiver.next('EID_SUCCESS');
        expect(await documents(tenantId)).to.deep.equal([{ source: 'eid' }]);
        expect(await flows(waiting)).to.deep.equal([{ status: 'pending' }]);
        expect(receiver.received).to.have.length(1);
      } finally {
        await receiver.stop();
      }
    });

    for (const [text, status, words] of [
      ['Cancel', 'cancelled', 'The sign-in was cancelled'],
      ['Let it fail', 'failed', 'Your identity could not be confirmed'],
    ] as const)
      it(`informs the person after ${text}, does not redirect, is stored as ${status} and sends nothing`, async () => {
        const { tenantId, link, browser, choice } = await signIn(`${status}@mail.example`);
        expect((await browser.open(choice(text))).location).to.equal(link);
        expect(await flows(tenantId)).to.deep.equal([{ status }]);
        expect((await browser.open(choice('Confirm my identity'))).location, 'a late change of mind').to.equal(link);
        const page = await browser.open(link);
        expect([page.status, page.location], 'the link is over').to.deep.equal([200, null]);
        expect(page.text).to.include(words).and.not.include('letting.example');
        expect(await flows(tenantId)).to.deep.equal([{ status }]);
        expect(await documents(tenantId)).to.be.empty;
        expect(await events(tenantId)).to.be.empty;
      });

    it('ends automatically after a day, and then says so', async () => {
      const { tenantId, link, browser, choice } = await signIn('expires@mail.example');
      const untouched = await applicant('untouched@mail.example');
      await start(untouched);
      try {
        test.setNow(later(25));
        expect((await browser.open(choice('Confirm my identity'))).location).to.equal(link);
        expect((await browser.open(link)).text).to.include('This link has expired');
        expect(await flows(tenantId)).to.deep.equal([{ status: 'expired' }]);
        await eventually('the one that no one touched ended too', async () =>
          (await flows(untouched)).every(({ status }) => status === 'expired'),
        );
        expect(await events(tenantId)).to.be.empty;
      } finally {
        test.setNow(new Date());
      }
    });

    it('forgets who started once that has no further use', async () => {
      const attempts = () => test.service.runtime.db('eid_attempts').select('state_hash');
      await signIn('long-ago@mail.example');
      const { link, browser } = await signIn('today@mail.example');
      expect(await attempts()).to.have.length.above(1);
      try {
        await test.service.runtime
          .db('eid_flows')
          .where({ status: 'pending' })
          .update({ expires_at: later(60).toISOString(), due_at: later(60).toISOString() });
        test.setNow(later(49));
        await browser.open(link);
        expect(await attempts(), 'but the one of this moment').to.have.length(1);
      } finally {
        test.setNow(new Date());
      }
    });

    it('keeps a few attempts however often a link is opened, and accepts the answer to the latest', async () => {
      const { tenantId, link } = await signIn('often@mail.example');
      const { db } = test.service.runtime;
      const attempts = () =>
        db('eid_attempts').whereIn('flow_id', db('eid_flows').where({ tenant_id: tenantId }).select('id'));
      for (let times = 0; times < 8; times++) expect((await new WebBrowser().follow(link)).status).to.equal(200);
      expect(await attempts()).to.have.lengthOf(5);
      const browser = new WebBrowser();
      for (let times = 0; times < 8; times++) await browser.follow(link);
      expect(await attempts()).to.have.lengthOf(5);
      expect(await chooseAtEid(link, 'Confirm my identity', browser)).to.equal(BACK);
    });

    it('accepts an answer from no other browser, and none with a state that it did not issue', async () => {
      const { tenantId, browser, choice } = await signIn('another-browser@mail.example');
      const stranger = new WebBrowser();
      await stranger.open((await signIn('stranger@mail.example')).link);
      for (const other of [new WebBrowser(), stranger])
        expect((await other.open(choice('Confirm my identity'))).status).to.equal(403);
      const forged = new URL(choice('Confirm my identity'));
      forged.searchParams.set('state', 'forged');
      expect((await browser.open(forged.href)).status).to.equal(404);
      expect(await flows(tenantId)).to.deep.equal([{ status: 'pending' }]);
      expect((await browser.open(choice('Confirm my identity'))).location).to.equal(BACK);
    });

    it('treats an unknown answer as a failure', async () => {
      const { tenantId, link, browser, choice } = await signIn('unknown-answer@mail.example');
      const odd = new URL(choice('Confirm my identity'));
      odd.searchParams.set('result', 'Confirmed');
      expect((await browser.open(odd.href)).location).to.equal(link);
      expect(await flows(tenantId)).to.deep.equal([{ status: 'failed' }]);
    });

    it('answers only GET, so that no preview of a link uses it up', async () => {
      const { link, choice } = await signIn('previewed@mail.example');
      for (const [url, methods] of [
        [link, ['HEAD', 'PUT', 'DELETE']],
        [choice('Confirm my identity'), ['HEAD', 'POST', 'PUT', 'DELETE']],
      ] as const)
        for (const method of methods)
          expect((await fetch(url, { method, redirect: 'manual' })).status, `${method} ${url}`).to.equal(405);
    });
  });

  it('binds the browser with a cookie of this host, sent only over TLS', async () => {
    const runtime = { ...test.service.runtime, publicUrl: () => 'https://screening.example/base' };
    const server = await listen(createServer(await createApp(runtime, test.config)), 0);
    try {
      const tenant = await test.tenant('proxied@mail.example', { of: test.alice });
      const link = await startEid(
        runtime,
        tenant,
        (await ofTheirKey(runtime.db, tenant.id)).api_key_id,
        BACK,
        new Date(),
      );
      const { headers } = await send(server.url, 'GET', new URL(link).pathname.slice('/base'.length));
      expect(String(headers['set-cookie']))
        .to.match(/^__Host-eid=[^;]+; Max-Age=86400; Path=\/;/)
        .and.match(/; Secure(;|$)/);
    } finally {
      await server.stop();
    }
  });

  it('shows its page only to holders of the link', async () => {
    const tenantId = await applicant('guess@mail.example');
    const link = await start(tenantId);
    const flow = await test.service.runtime.db('eid_flows').where({ tenant_id: tenantId }).first('id');
    for (const guess of [`${link}x`, link.slice(0, -1), link.replace('/eid/', '/kyc/')])
      expect((await visit(guess)).status, guess).to.equal(404);
    expect((await send(test.service.url, 'GET', `/verify/eid/${flow?.id}`)).status).to.equal(404);
  });

  it('accepts every public http or https address and, in the sandbox, loopback', async () => {
    const tenantId = await applicant('addresses@mail.example');
    for (const url of [
      'https://letting.example',
      'http://letting.example:8080/a/b?c=d',
      'https://xn--ande-3qa.example/',
      'http://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'http://localhost:3000/back',
      'http://127.0.0.1:3000/',
      'http://[::1]:3000/',
    ])
      await start(tenantId, url);
  });
});
