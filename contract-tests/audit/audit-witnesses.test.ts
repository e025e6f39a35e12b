import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyRing } from '../../core/secrets/key-ring.ts';
import { sealedHead } from '../../core/secrets/sealed-head.ts';
import type { AuditEntryRow } from '../../db/audit/audit.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { startBucket } from '../../harness/peers/bucket.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService, useServicePerTest } from '../../harness/service/service.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { acceptHead, sealHead } from '../../jobs/upkeep/audit-witnesses.ts';
import { chainAudit } from '../../jobs/upkeep/chain-audit.ts';
import { verifyAudit } from '../../jobs/upkeep/verify-audit.ts';

databases('both');

interface Verified {
  holds: boolean;
  fault: string | null;
  fault_position: number | null;
  sealed: number | null;
  kept: number | null;
}

describe('`audit verify` without options', () => {
  const test = useServicePerTest({ RUN_WORKERS: 'false' });
  let runtime: Runtime;
  let file = '';
  beforeEach(() => {
    runtime = test.service.runtime;
    file = join(test.folder, 'audit-head');
  });

  /** As workers do every few seconds. @returns the places that contradict the log */
  const work = async (parts: Runtime = runtime) => {
    await chainAudit(parts);
    return sealHead(parts);
  };
  const append = async (count: number) => {
    for (let index = 1; index <= count; index++)
      await runtime.db.transaction((trx) => recordAudit(trx, SERVICE, 'webhook.pause', `one ${index}`, new Date()));
    return work();
  };
  const verify = async (): Promise<Verified> => {
    const { code, stdout } = await new Admin(test).run(['audit', 'verify', '--json']);
    const verified: Verified = JSON.parse(stdout);
    expect(code).to.equal(verified.holds ? 0 : 1);
    return verified;
  };
  const broken = async (reason: string) => {
    const { holds, fault } = await verify();
    expect({ holds, fault }).to.deep.equal({ holds: false, fault: reason });
  };
  const condition = (doctor: string) => {
    const all: { check: string; state: string; command?: string }[] = JSON.parse(doctor);
    const { state } = all.find(({ check }) => check === 'audit-head') ?? expect.fail('it is missing');
    return state;
  };
  const entries = (): Promise<AuditEntryRow[]> => runtime.db('audit_entries').orderBy('sequence');
  const last = async () => (await entries()).length;
  /** As the owner of the database could. */
  const unguarded = async () => {
    for (const name of ['audit_entries_no_change', 'audit_entries_no_delete'])
      await runtime.db.raw(`drop trigger if exists ${name}${dialect === 'postgres' ? ' on audit_entries' : ''}`);
  };
  /** Replaces the log by these entries, and hashes them again. */
  const rewrite = async (rows: AuditEntryRow[]) => {
    await unguarded();
    await runtime.db('audit_entries').delete();
    for (const row of rows) await runtime.db('audit_entries').insert({ ...row, position: null, hash: null });
    await chainAudit(runtime);
  };

  it('holds, and says up to where it is sealed and kept outside the database', async () => {
    expect(await append(3)).to.deep.equal([]);
    const length = await last();
    expect(await verify()).to.include({ holds: true, fault: null, sealed: length, kept: length });
    await append(2);
    expect(await verify()).to.include({ holds: true, sealed: length + 2, kept: length + 2 });
    expect(await readFile(file, 'utf8')).to.match(/^\d+:[0-9a-f]{64}:[0-9a-f]{64}\n$/);
  });

  it('finds a cut end, and a log that grows again behind it; the service keeps the evidence', async () => {
    await append(5);
    await unguarded();
    await runtime
      .db('audit_entries')
      .where({ position: await last() })
      .delete();
    await broken('cut');
    expect(await new Admin(test).run(['doctor', '--json']).then(({ stdout }) => condition(stdout))).to.equal('problem');
    expect(await work(), 'contradicting').to.have.lengthOf(2);
    await append(3);
    await broken('rewritten');
  });

  it('finds a deleted log, with its seal or without', async () => {
    await append(5);
    await unguarded();
    await runtime.db('audit_entries').delete();
    await broken('cut');
    await runtime.db('audit_seals').delete();
    await broken('cut');
    expect(await append(2)).to.deep.equal([file]);
    await broken('cut');
  });

  it('finds a removed middle whose hashes were computed again', async () => {
    await append(5);
    const rows = await entries();
    await rewrite(rows.filter((_, index) => index !== 2));
    await broken('cut');
    await append(3);
    await broken('rewritten');
  });

  it('finds a rewritten chain, even when one of its two witnesses is gone or forged', async () => {
    await append(5);
    const kept = await readFile(file, 'utf8');
    await rewrite((await entries()).map((row, index) => (index === 1 ? { ...row, actor: 'another' } : row)));
    await broken('rewritten');
    await rm(file);
    await broken('rewritten');
    const head = await runtime.db('audit_entries').orderBy('position', 'desc').first();
    const forged = `${head?.position}:${head?.hash}:${kept.trim().split(':')[2]}`;
    await runtime.db('audit_seals').update({ sealed_head: forged });
    await broken('forged');
    expect(await work()).to.deep.equal(['the database']);
    await writeFile(file, kept);
    await broken('rewritten');
  });

  it('finds an old copy of the log that was put back with its old seal, until an operator accepts it', async () => {
    await append(3);
    const [rows, seals] = [await entries(), await runtime.db('audit_seals')];
    await append(3);
    await unguarded();
    await runtime.db('audit_entries').delete();
    for (const row of rows) await runtime.db('audit_entries').insert(row);
    await runtime.db('audit_seals').delete();
    await runtime.db('audit_seals').insert(seals);
    await broken('cut');
    expect(await work()).to.deep.equal([file]);
    const { head } = await new Admin(test).json<{ head: string }>('audit', 'keep-head', '--yes');
    expect(await verify()).to.include({ holds: true, kept: Number(head.split(':')[0]) });
    expect(await new Admin(test).text('audit', 'list', '--action', 'database')).to.include('keep-audit-head');
  });

  it('seals the chain of an earlier version with the next head, and continues with a new key', async () => {
    await append(3);
    await runtime.db('audit_seals').delete();
    await rm(file);
    expect(await verify()).to.include({ holds: true, sealed: null, kept: null });
    await work();
    const length = await last();
    expect(await verify()).to.include({ holds: true, sealed: length, kept: length });
    const former = runtime.keys.encryption;
    const next = { ...runtime, keys: { ...runtime.keys, encryption: keyRing(randomBytes(32), [former.current]) } };
    expect(await work(next)).to.deep.equal([]);
    const alone = { ...next, keys: { ...next.keys, encryption: { ...next.keys.encryption, former: [] } } };
    expect(await verifyAudit(alone)).to.include({ fault: undefined, kept: length, sealed: length });
    expect((await verifyAudit(runtime)).fault?.reason).to.equal('forged');
    await acceptHead(runtime);
  });

  it('finds an archive that no key sealed, which would hide the entries that it covers, until an operator accepts it', async () => {
    await append(5);
    const rows = await entries();
    const covered = rows.slice(0, 3);
    await unguarded();
    await runtime
      .db('audit_entries')
      .whereIn(
        'position',
        covered.map(({ position }) => position),
      )
      .delete();
    const last_hash = covered.at(-1)?.hash ?? '';
    const span = { first_position: 1, last_position: covered.length, last_hash, file_sha256: 'a'.repeat(64) };
    const row = { ...span, key_fingerprint: 'a'.repeat(8), created_at: new Date().toISOString() };
    await runtime.db('audit_archives').insert(row);
    expect(await work(), 'the heads are in the log').to.deep.equal([]);
    await broken('unsealed');
    expect(await new Admin(test).run(['doctor', '--json']).then(({ stdout }) => condition(stdout))).to.equal('problem');
    const stranger = sealedHead('archive 1-3', { current: randomBytes(32) });
    await runtime.db('audit_seals').insert({ log: 'archive 3', sealed_head: stranger, sealed_at: row.created_at });
    await broken('unsealed');
    await new Admin(test).json('audit', 'keep-head', '--yes');
    expect(await verify()).to.include({ holds: true, fault: null });
    const next = { ...runtime.keys, encryption: keyRing(randomBytes(32), [runtime.keys.encryption.current]) };
    await work({ ...runtime, keys: next });
    const alone = { ...runtime, keys: { ...next, encryption: { ...next.encryption, former: [] } } };
    expect((await verifyAudit(alone)).fault, 'sealed again with the new key').to.equal(undefined);
    await acceptHead(runtime);
  });

  it('compares with the head in the bucket when the documents are there', async () => {
    const bucket = await startBucket('heeded');
    const other = await startTestService({ ...bucket.env, RUN_WORKERS: 'false' });
    try {
      const parts = other.service.runtime;
      await parts.db.transaction((trx) => recordAudit(trx, SERVICE, 'webhook.pause', 'one', new Date()));
      await chainAudit(parts);
      expect(await sealHead(parts)).to.deep.equal([]);
      expect((await verifyAudit(parts)).kept).to.be.at.least(1);
      await parts.db('audit_seals').delete();
      for (const name of ['audit_entries_no_change', 'audit_entries_no_delete'])
        await parts.db.raw(`drop trigger if exists ${name}${dialect === 'postgres' ? ' on audit_entries' : ''}`);
      await parts.db('audit_entries').delete();
      expect((await verifyAudit(parts)).fault).to.deep.equal({ position: 1, reason: 'cut' });
    } finally {
      await other.stop();
      await bucket.stop();
    }
  });
});
