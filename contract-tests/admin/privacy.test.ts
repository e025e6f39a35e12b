import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { findInDatabase, findInFolder } from '../../harness/database/every-column.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { unzip } from '../../harness/process/unzip.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { holdPerson } from '../../harness/service/held-person.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const WORD = 'Canaria8Z';

interface Receipt {
  receipt_id: string | null;
  tenant_id?: string | null;
  dry_run?: boolean;
  counts: Record<string, number>;
}

interface Exported {
  account: { id: string; email: string } | null;
  participations: { title: string; is_lead: boolean; payments: object[]; invitations: object[] }[];
  kyc_verifications: { result: object }[];
  events: { event: string; told_to: { landlord: string; status: string }[] }[];
  analyses: { result: object }[];
  documents: { file: string; sha256: string }[];
}

describe("the command line's privacy", () => {
  const test = useService();
  const receiver = suiteFixture(() => Receiver.start());
  const admin = new Admin(test);
  const person = suiteFixture(() => holdPerson(test, receiver, WORD));

  const inFolder = (name: string) => join(test.folder, name);

  it('names the missing argument of a command', async () => {
    expect(await misunderstood('privacy', 'export', 'marta@mail.example')).to.include('--to');
    expect(await misunderstood('privacy', 'erase')).to.include('person');
  });

  it('exports everything held about a person, readable by its owner only, and nothing about others', async () => {
    const to = inFolder('export.zip');
    const told = await admin.json<{ file: string; documents: number }>(
      'privacy',
      'export',
      person.tenantId,
      '--to',
      to,
    );
    expect(told).to.deep.include({ file: to, tenant_id: person.tenantId, documents: 2 });
    expect((await stat(to)).mode & 0o777).to.equal(0o600);
    const files = await unzip(await readFile(to));
    const data: Exported = JSON.parse(files.get('data.json')?.toString() ?? '');
    expect(data.account).to.include({ id: person.tenantId, email: person.email });
    expect(data.participations).to.have.length(4);
    expect(data.participations.flatMap(({ payments }) => payments)).to.have.length(2);
    expect(data.participations.flatMap(({ invitations }) => invitations)).to.have.length(2);
    expect(data.kyc_verifications[0]?.result).to.include({ tenant_id: person.tenantId });
    expect(data.analyses[0]?.result).to.have.property('documents');
    expect(data.events.map(({ event }) => event)).to.include.members(['EID_SUCCESS', 'KYC_VERIFICATION_DATA']);
    expect(data.events[0]?.told_to[0]).to.include({ landlord: 'Casa Clara', status: 'delivered' });
    for (const { file, sha256 } of data.documents)
      expect(
        createHash('sha256')
          .update(files.get(file) ?? '')
          .digest('hex'),
      ).to.equal(sha256);
    expect([...files.keys()].filter((name) => name.startsWith('mails/'))).to.not.be.empty;
    expect(files.get('README.txt')?.toString()).to.match(/^The data held about one person\./);
    const all = files.get('data.json')?.toString() ?? '';
    expect(all).to.not.include(person.friend).and.not.include(receiver.url).and.not.include('sealed');
    const entry = await test.service.runtime.db('audit_entries').where({ action: 'tenant.export' }).first();
    expect(entry).to.include({ resource_id: person.tenantId, actor_kind: 'operator' });
  });

  it('exports about a person without an account, replaces no file without confirmation, and says when nothing is held', async () => {
    const to = inFolder('export.zip');
    const args = ['privacy', 'export', person.friend.toUpperCase(), '--to', to];
    expect(await admin.refused(1, args)).to.match(/already exists; --force replaces it/);
    expect(await admin.text(...args, '--force')).to.match(/^The data held about the person was exported\./);
    const data: Exported = JSON.parse((await unzip(await readFile(to))).get('data.json')?.toString() ?? '');
    expect(data.account).to.equal(null);
    expect(data.participations.map(({ is_lead }) => is_lead).sort()).to.deep.equal([false, true, true]);
    expect(JSON.stringify(data)).to.not.include(person.email).and.not.include(WORD.toLowerCase());
    const unknown = ['privacy', 'export', 'nobody@mail.example', '--to', inFolder('none.zip')];
    expect(await admin.refused(1, unknown)).to.match(/nothing is held about "nobody@mail\.example"/);
  });

  it('leaves no file when a document cannot be read', async () => {
    const { sha256 } = (await test.service.runtime.db('documents').where({ tenant_id: person.tenantId }).first()) ?? {
      sha256: '',
    };
    const stored = inFolder(`documents/${sha256.slice(0, 2)}/${sha256}`);
    const kept = await readFile(stored);
    const folder = await mkdtemp(inFolder('half-'));
    const exports = async () =>
      (await test.service.runtime.db('audit_entries').where({ action: 'tenant.export' })).length;
    const noted = await exports();
    await writeFile(stored, kept.subarray(0, -1));
    // Looking through them takes longer than reading the document.
    const others = Array.from({ length: 500 }, () => join(folder, `.${newId()}.part`));
    await Promise.all(others.map((other) => writeFile(other, '')));
    try {
      const export_ = ['privacy', 'export', person.tenantId, '--to', join(folder, 'half.zip')];
      expect(await admin.refused(1, export_)).to.match(/were changed/);
      expect(await readdir(folder)).to.have.members(others.map((other) => basename(other)));
      expect(await exports()).to.equal(noted + 1, 'it is noted before anything can be read');
    } finally {
      await writeFile(stored, kept);
    }
  });

  it('erases only after confirmation, shows beforehand what it would erase, and writes a receipt', async () => {
    expect(await admin.refused(2, ['privacy', 'erase', person.tenantId])).to.include('--yes');
    const rehearsal = await admin.json<Receipt>('privacy', 'erase', person.tenantId, '--dry-run');
    expect(rehearsal).to.deep.include({ dry_run: true, tenant_id: person.tenantId });
    expect(await findInDatabase(test.service.runtime.db, [WORD])).to.not.be.empty;
    const file = inFolder('receipt.json');
    const erase = ['privacy', 'erase', person.email, '--yes', '--receipt', file];
    await writeFile(file, 'precious');
    expect(await admin.refused(1, erase)).to.match(/already exists; name another/);
    const receipt = await admin.json<Receipt>(...erase.slice(0, -1), inFolder('receipt-2.json'));
    expect(receipt.counts).to.include(rehearsal.counts);
    expect(JSON.parse(await readFile(inFolder('receipt-2.json'), 'utf8'))).to.deep.equal(receipt);
  });

  it('has erased the person from every column and every byte, beside the running service', async () => {
    expect(await findInDatabase(test.service.runtime.db, [...person.words])).to.deep.equal([]);
    const found = await findInFolder(test.folder, person.words);
    expect(found.filter((place) => !place.startsWith('export.zip'))).to.deep.equal([]);
    const application = { applicationId: person.applications.led };
    expect((await test.alice.ok('getApplication', { params: application })).data.participants).to.have.length(1);
  });

  it('erases a second time without an error', async () => {
    const again = await admin.run(['privacy', 'erase', person.tenantId, '--yes']);
    expect(again).to.include({ code: 0, stdout: 'Nothing is held about this person; nothing was changed.\n' });
  });

  if (dialect === 'sqlite')
    it('reports when the remains of an earlier erasure cannot be wiped yet', async () => {
      const reader = new Sqlite(test.config.database.dialect === 'sqlite' ? test.config.database.file : '');
      try {
        reader.exec('begin');
        reader.prepare('select count(*) from tenants').get();
        const held = await admin.run(['privacy', 'erase', person.tenantId, '--yes']);
        expect(held.code).to.equal(1);
        expect(held.stdout).to.match(/Erase once more to wipe them\.\n$/);
      } finally {
        reader.close();
      }
      const { stdout } = await admin.run(['privacy', 'erase', person.tenantId, '--yes']);
      expect(stdout).to.equal('Nothing is held about this person; nothing was changed.\n');
    });

  it('shows what is due under the retention rules, and purges it', async () => {
    const { db } = test.service.runtime;
    await db('applications').update({ updated_at: '2020-01-01T00:00:00.000Z' });
    await db('payments').update({ created_at: '2020-01-01T00:00:00.000Z' });
    const env = { RETAIN_APPLICATIONS_DAYS: '365' };
    const rules = await admin.run(['privacy', 'retention', '--dry-run'], env);
    expect(rules.stdout).to.match(/^applications +RETAIN_APPLICATIONS_DAYS +365 +3$/m);
    expect(rules.stdout).to.match(/^documents +RETAIN_DOCUMENTS_DAYS +- +-$/m);
    expect(rules.stdout).to.match(/^payloads of events +WEBHOOK_PAYLOAD_DAYS +30 +0$/m);
    const applied = await admin.run(['privacy', 'retention', '--yes', '--json'], env);
    const [first] = JSON.parse(applied.stdout);
    expect(first).to.deep.include({ rule: 'applications', days: 365, due: 3, left: 0 });
    expect(await db('participants')).to.be.empty;
    const entry = await db('audit_entries').where({ action: 'database.retain' }).first();
    expect(entry).to.include({ resource_id: 'applications', actor_kind: 'operator' });
  });
});

/** The files of an archive, keyed by name. */
