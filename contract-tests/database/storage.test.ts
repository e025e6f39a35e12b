import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

describe('stored data', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('keeps documents unreadable on disk and returns them unchanged', async () => {
    const { id } = await test.tenant('stored@mail.example', { documents: 1 });
    const document = await test.service.runtime.db('documents').where({ tenant_id: id }).first();
    const folder = join(test.folder, 'documents');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
    );
    expect(contents).to.have.length(1);
    expect(contents[0]?.includes('%PDF')).to.equal(false);
    const opened = await buffer(test.service.runtime.providers.documents.get(document?.sha256 ?? ''));
    expect(opened.subarray(0, 8).toString()).to.equal('%PDF-1.4');
  });

  if (dialect === 'sqlite')
    it('uses a write-ahead log and foreign keys, and a transaction locks the file from its start', async () => {
      const { db } = test.service.runtime;
      expect(await db.raw('pragma journal_mode')).to.deep.equal([{ journal_mode: 'wal' }]);
      expect(await db.raw('pragma foreign_keys')).to.deep.equal([{ foreign_keys: 1 }]);
      const other = new Sqlite(join(test.folder, 'service.db'), { timeout: 0 });
      await db.transaction(async () => {
        expect(() => other.exec('begin immediate')).to.throw('database is locked');
      });
      other.close();
    });
});
