import { expect } from 'chai';
import { QUEUED } from '../../db/work/work.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { QUEUE_TABLE, queuedIds } from '../../harness/database/queue.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { promote } from '../../queue/promoter.ts';

databases('both');

describe('the promoter', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('puts 25 rows of an API key in front in each pass, and the rest of its backlog behind what others send', async () => {
    const { runtime } = test.service;
    const { db } = runtime;
    const hook = await addHook(test.alice);
    const tenant = await addApplicant(test, test.alice, 'backlog@mail.example');
    const due_at = new Date(Date.now() - 1_000).toISOString();
    for (let row = 0; row < 30; row++)
      await addDelivery(test, tenant, { webhook_id: hook.id, status: 'pending', due_at });
    await promote(runtime);
    await hook.stop();
    const behind =
      dialect === 'sqlite'
        ? db(QUEUE_TABLE.sqlite).where({ name: 'deliver-webhook', bulk: 1 })
        : db(QUEUE_TABLE.postgres).where({ name: 'due.deliver-webhook', priority: -1 });
    expect(await behind).to.have.lengthOf(5);
    expect(await queuedIds(db, 'deliver-webhook')).to.have.lengthOf(30);
  });

  it('hands over the work of the other kinds when the table of one fails, which is logged', async () => {
    const { runtime } = test.service;
    const { db } = runtime;
    const hook = await addHook(test.alice);
    const tenant = await addApplicant(test, test.alice, 'promoted@mail.example');
    const due_at = new Date(Date.now() - 1_000).toISOString();
    const id = await addDelivery(test, tenant, { webhook_id: hook.id, status: 'pending', due_at });
    const logged: unknown[] = [];
    const { error } = runtime.log;
    runtime.log.error = (fields: unknown) => void logged.push(fields);
    await db.schema.renameTable('invites', 'invites_away');
    try {
      await promote(runtime);
    } finally {
      runtime.log.error = error;
      await db.schema.renameTable('invites_away', 'invites');
      await hook.stop();
    }
    expect(await db('deliveries').where({ id }).first('leased_by')).to.deep.equal({ leased_by: QUEUED });
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.include({ job: 'send-invite' });
  });
});
