import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { OperatorError } from '../../bin/admin/cli/faults.ts';
import { streamGivenFile } from '../../bin/admin/cli/read-file.ts';
import { fileNameOf } from '../../core/rules/file-names.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { startBucket } from '../../harness/peers/bucket.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { Admin, columnsOf, misunderstood } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

interface Document {
  document_id: string;
  name: string;
  media_type: string;
  size_bytes: number;
  sha256: string;
}

const PAYSLIP = sampleDocument(['Payslip January', 'Net 2,214.35']);
const DIGEST = createHash('sha256').update(PAYSLIP).digest('hex');

describe("the command line's documents", () => {
  let tenantId: string;
  let payslip: string;
  let target: string;
  const test = useService();
  const admin = new Admin(test);
  before(async () => {
    ({ id: tenantId } = await test.tenant('cli-documents@mail.example', { of: test.alice }));
    payslip = join(test.folder, 'payslip.jpg');
    await writeFile(payslip, PAYSLIP);
  });
  beforeEach(async () => {
    target = join(test.folder, 'extracted');
    await rm(target, { recursive: true, force: true });
    await mkdir(target);
  });

  const add = (...options: string[]) => admin.json<Document>('document', 'add', tenantId, payslip, ...options);
  /** Adds a document without the command, for tests of other commands. @returns the document's id */
  const stored = async () => {
    const { runtime } = test.service;
    const content = Readable.from([PAYSLIP]);
    const [document] = await storingDocuments(runtime, [{ name: 'payslip.jpg', content }], async (trx, stored) =>
      addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenantId), stored, 'operator', new Date()),
    );
    return document?.id ?? '';
  };
  const storedFile = (sha256: string) => join(test.folder, 'documents', sha256.slice(0, 2), sha256);

  it('detect their type from their bytes, and are shown with their identifying data', async () => {
    const added = await add();
    const shown = { name: 'payslip.jpg', media_type: 'application/pdf', size_bytes: PAYSLIP.length, sha256: DIGEST };
    expect(added).to.include(shown);
    const [listed] = await admin.json<Document[]>('document', 'list', tenantId);
    expect(listed).to.include({ ...shown, document_id: added.document_id, tenant_id: tenantId, source: 'operator' });
    const human = await admin.text('document', 'list', tenantId);
    expect(columnsOf(human)).to.include.members(['document id', 'name', 'source']);
    expect(human).to.include(added.document_id).and.not.include(DIGEST);
  });

  it('are extracted unchanged, readable by their owner only; no file is replaced without confirmation', async () => {
    const document_id = await stored();
    const to = join(target, 'a payslip.pdf');
    const extracted = await admin.json<Document>('document', 'extract', document_id, '--to', to);
    expect(extracted).to.include({ file: to, document_id, sha256: DIGEST, size_bytes: PAYSLIP.length });
    expect(await readFile(to)).to.deep.equal(PAYSLIP);
    expect((await stat(to)).mode & 0o777).to.equal(0o600);
    await writeFile(to, 'precious');
    const again = ['document', 'extract', document_id, '--to', to];
    expect(await admin.refused(1, again)).to.match(/already exists; --force replaces it/);
    expect((await readFile(to)).toString()).to.equal('precious');
    expect(await admin.text(...again, '--force'))
      .to.match(/^The document was extracted\./)
      .and.include(DIGEST);
    expect(await readFile(to)).to.deep.equal(PAYSLIP);
    expect(await readdir(target)).to.deep.equal(['a payslip.pdf']);
  });

  it('are extracted into the current folder under a sanitized version of their name', async () => {
    const { document_id } = await add('--name', '../../etc/passwd\u202efdp');
    expect(await admin.text('document', 'list', tenantId)).to.include(' ../../etc/passwdfdp ');
    expect(await admin.run(['document', 'extract', document_id], {}, target)).to.include({ code: 0, stderr: '' });
    expect(await readdir(target)).to.deep.equal(['_.._etc_passwd_fdp']);
    expect(await readFile(join(target, '_.._etc_passwd_fdp'))).to.deep.equal(PAYSLIP);
    for (const [name, safe] of [
      ['Nómina enero.pdf', 'Nómina enero.pdf'],
      ['..', 'document'],
      ['.bashrc', 'bashrc'],
      ['-rf ', 'rf'],
      ['C:\\Users\\me\\x.pdf', 'C_Users_me_x.pdf'],
      ['a\u0000b\nc/d', 'a_b_c_d'],
      [`${'漢'.repeat(200)}.pdf`, `${'漢'.repeat(46)}.pdf`],
    ] as const)
      expect(fileNameOf(name), name).to.equal(safe);
  });

  it('are not extracted when modified or missing, and leave nothing behind', async () => {
    const document_id = await stored();
    const file = storedFile(DIGEST);
    const kept = await readFile(file);
    const to = join(target, 'payslip.pdf');
    const extract = (...options: string[]) =>
      admin.refused(1, ['document', 'extract', document_id, '--to', to, ...options]);
    try {
      await writeFile(file, Buffer.concat([kept.subarray(0, -1), Buffer.from([(kept.at(-1) ?? 0) ^ 1])]));
      expect(await extract()).to.match(/were changed/);
      await writeFile(to, 'precious');
      expect(await extract('--force')).to.match(/were changed/);
      expect((await readFile(to)).toString()).to.equal('precious');
      await rm(file);
      expect(await extract('--force')).to.match(/are gone/);
      expect(await readdir(target)).to.deep.equal(['payslip.pdf']);
    } finally {
      await writeFile(file, kept);
    }
  });

  it('are refused in one line when they cannot be read or written', async () => {
    const document_id = await stored();
    const extract = (id: string, to: string, ...options: string[]) =>
      admin.refused(1, ['document', 'extract', id, '--to', to, ...options]);
    expect(await extract('absent', join(target, 'a.pdf'))).to.match(/no document has the id "absent".*document list/);
    expect(await extract(document_id, join(target, 'no', 'folder.pdf'))).to.match(/cannot write .*no such file/);
    for (const force of [[], ['--force']])
      expect(await extract(document_id, target, ...force)).to.match(/is a folder; name a file in it/);
    expect(await readdir(target)).to.deep.equal([]);
    await symlink('elsewhere', join(target, 'link'));
    expect(await extract(document_id, join(target, 'link'), '--force')).to.match(/is not a regular file/);
    expect(await readlink(join(target, 'link'))).to.equal('elsewhere');
    await misunderstood('document', 'extract');
  });

  it('resolve paths from the folder where npm was called, not where it runs the program', async () => {
    const called = { INIT_CWD: target };
    await writeFile(join(target, 'here.txt'), 'from here');
    const added = await admin.run(['document', 'add', tenantId, 'here.txt', '--json'], called);
    expect(added).to.include({ code: 0, stderr: '' });
    const { document_id, name }: Document = JSON.parse(added.stdout);
    expect(name).to.equal('here.txt');
    const extract = ['document', 'extract', document_id, '--to', 'there.txt'];
    expect(await admin.run(extract, called)).to.include({ code: 0, stderr: '' });
    expect((await readFile(join(target, 'there.txt'))).toString()).to.equal('from here');
    expect(await admin.refused(1, ['document', 'add', tenantId, 'absent.txt'], called)).to.include(target);
  });

  it('are refused when they shrink while they are read', async () => {
    const file = join(target, 'shrinking');
    await writeFile(file, Buffer.alloc(1024 * 1024));
    const reading = streamGivenFile(file);
    await reading.next();
    await truncate(file, 1000);
    const error = await buffer(reading).then(
      () => expect.fail('it was read'),
      (failure) => failure,
    );
    expect(error).to.be.instanceOf(OperatorError);
    expect(String(error)).to.include('was truncated');
  });

  it('are tidied up, with their number and size reported', async () => {
    const { documents } = test.service.runtime.providers;
    const { sha256 } = await documents.put(Readable.from([Buffer.from('unneeded bytes')]));
    const old = new Date(Date.now() - 25 * 3_600_000);
    await utimes(storedFile(sha256), old, old);
    await test.service.runtime.db('encryption_keys').update({ created_at: old.toISOString() });
    expect(await admin.json('document', 'tidy')).to.deep.equal({ removed: 1, bytes: 14, left: 0 });
    expect(await admin.text('document', 'tidy')).to.match(/^The stored documents were tidied\.\n\nremoved +0\n/);
    expect(await readdir(dirname(storedFile(sha256)))).to.not.include(sha256);
  });

  it('are refused when empty or too large, and nothing is stored', async () => {
    const before = await readdir(join(test.folder, 'documents'), { recursive: true });
    const large = join(test.folder, 'large.pdf');
    await writeFile(large, Buffer.alloc(1024 * 1024 + 1));
    const command = ['document', 'add', tenantId, large];
    expect(await admin.refused(1, command, { DOCUMENT_LIMIT_MIB: '1' })).to.match(/larger than 1 MiB/);
    expect(await readdir(join(test.folder, 'documents'), { recursive: true })).to.deep.equal(before);
    expect(await admin.json('document', 'add', tenantId, large)).to.include({ size_bytes: 1024 * 1024 + 1 });
  });

  describe('the command line’s documents in a bucket', () => {
    const bucket = suiteFixture(() => startBucket('heeded'));

    it('leave nothing behind when extraction is interrupted', async () => {
      const { stdout } = await admin.run(['document', 'add', tenantId, payslip, '--json'], bucket.env);
      const { document_id }: Document = JSON.parse(stdout);
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const) {
        const command = ['document', 'extract', document_id, '--to', join(target, 'payslip.pdf')];
        const child = spawnProgram('../../bin/admin.ts', { ...admin.env, ...bucket.env }, command);
        const ended = new Promise((resolve) => child.once('exit', resolve));
        let unfinished: string[] = [];
        bucket.beforeNext('GET', async () => {
          unfinished = await readdir(target);
          child.kill(signal);
          await ended;
          return { status: 503 };
        });
        expect(await ended).to.equal(code);
        expect(unfinished).to.have.length(1);
        expect(await readdir(target)).to.deep.equal([]);
      }
    });

    it('are added and extracted as in a folder, and an unreachable bucket is named', async () => {
      const command = ['document', 'add', tenantId, payslip, '--json'];
      const { stdout } = await admin.run(command, bucket.env);
      const { document_id }: Document = JSON.parse(stdout);
      expect(await bucket.keys()).to.deep.equal([`${DIGEST.slice(0, 2)}/${DIGEST}`]);
      const to = join(target, 'from-bucket.pdf');
      const extract = ['document', 'extract', document_id, '--to', to];
      expect(await admin.run(extract, bucket.env)).to.include({ code: 0, stderr: '' });
      expect(await readFile(to)).to.deep.equal(PAYSLIP);
      const away = { ...bucket.env, S3_ENDPOINT: 'http://127.0.0.1:9' };
      expect(await admin.refused(1, [...extract, '--force'], away)).to.match(/DOCUMENT_STORE.*ECONNREFUSED/);
      expect(await admin.refused(1, command, away)).to.match(/DOCUMENT_STORE.*ECONNREFUSED/);
    });
  });
});
