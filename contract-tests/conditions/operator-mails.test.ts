import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { watchOwn } from '../../bin/service/own-conditions.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { OperatorMails } from '../../jobs/conditions/operator-mails.ts';

databases('either');

const OPERATOR = 'operations@agency.example';
const HOUR_MS = 3_600_000;

describe('the mails to the operator', () => {
  const test = useService({ RUN_WORKERS: 'false', OPERATOR_MAIL: OPERATOR });

  /** One pass of a leading process; each is a new process. */
  const pass = () => {
    const { runtime } = test.service;
    const watch = watchOwn(test.config, runtime, { loops: undefined, stopping: undefined });
    return new OperatorMails(runtime, watch, OPERATOR).lead();
  };
  const mails = async () => {
    const folder = join(test.folder, 'mailbox', 'console');
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };

  it('name a problem once and its end once, with the remedy, whichever process leads', async () => {
    const { db } = test.service.runtime;
    const { id } = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/' } })).data;
    await pass();
    expect(await mails()).to.deep.equal([]);
    await db('webhooks')
      .where({ id })
      .update({ failing_since: new Date(Date.now() - HOUR_MS).toISOString() });
    await pass();
    await pass();
    const [begun = '', ...more] = await mails();
    expect(more).to.deep.equal([]);
    expect(begun).to.include(OPERATOR).and.include('Subject: Problem: failing-webhooks');
    expect(begun).to.match(/^Message-ID:\s+<[^<>@\s]+@[^<>@\s]+>$/m);
    expect(begun).to.include('webhook list --status failing').and.include(test.alice.clientId);
    await db('webhooks').where({ id }).update({ failing_since: null });
    await pass();
    await pass();
    const all = await mails();
    expect(all).to.have.lengthOf(2);
    expect(all.filter((mail) => mail.includes('Subject: Over: failing-webhooks'))).to.have.lengthOf(1);
  });

  it('that cannot be sent are sent later', async () => {
    const { db, providers } = test.service.runtime;
    const before = (await mails()).length;
    const { send } = providers.mail;
    providers.mail.send = async () => {
      throw new Error('the mail server is away');
    };
    await db('webhooks').update({ failing_since: new Date(Date.now() - HOUR_MS).toISOString() });
    const error: unknown = await pass().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    providers.mail.send = send;
    await pass();
    expect(await mails()).to.have.lengthOf(before + 1);
  });
});
