import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { unsealJson } from '../../core/secrets/secrets.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { deleteUpload } from '../../db/documents/documents.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { workOn } from '../../harness/service/work.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { payslip } from '../../packages/forensics/tests/fixtures/payslip.ts';
import { pdfOf } from '../../packages/forensics/tests/fixtures/pdf.ts';

databases('both');

type Analyse = Runtime['forensics']['analyse'];

describe('a document that its person removes during the analysis', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let people = 0;
  let of: TenantOfKey;
  let removed = '';
  let kept = '';

  beforeEach(async () => {
    const { runtime } = test.service;
    const email = `remover-${++people}+kyc-verified@mail.example`;
    const { id } = await test.tenant(email, { of: test.alice });
    of = await ofTheirKey(runtime.db, id);
    const documents = ['removed.pdf', 'kept.pdf'].map((name) => ({
      name,
      content: Readable.from([Buffer.from(pdfOf([payslip()])), Buffer.from(`\n% ${name} ${people}`)]),
    }));
    const rows = await storingDocuments(runtime, documents, (trx, stored) =>
      addDocuments(trx, runtime.queue, of, stored, 'applicant', new Date()),
    );
    [removed = '', kept = ''] = rows.map((row) => row.id);
    await runtime.db('forensic_runs').insert({
      id: `run-${people}`,
      ...of,
      status: 'pending',
      due_at: new Date().toISOString(),
      created_at: new Date().toISOString(),
    });
  });

  const remove = () => inTransaction(test.service.runtime.db, (trx) => deleteUpload(trx, of, removed));
  const work = async (hook: (analyse: Analyse) => Analyse) => {
    const { runtime } = test.service;
    const analyse = hook(runtime.forensics.analyse);
    await workOn({ ...runtime, forensics: { ...runtime.forensics, analyse } }, 'run-forensic', `run-${people}`);
    const run = await runtime
      .db('forensic_runs')
      .where({ id: `run-${people}` })
      .first();
    expect(run).to.include({ status: 'completed', failures: 0, failure: null });
    return JSON.parse(unsealJson(run?.result ?? '', runtime.keys.encryption));
  };
  const expectKeptOnly = async (result: { documents: { document_id: string }[] }) => {
    expect(result.documents.map(({ document_id }) => document_id)).to.deep.equal([kept]);
    expect(JSON.stringify(result)).to.not.include(removed);
    const { db } = test.service.runtime;
    expect(await db('document_fingerprints').where({ document_id: removed })).to.be.empty;
  };

  it('before its fingerprints are stored causes no failure, and no result speaks of it', async () => {
    await expectKeptOnly(
      await work(
        (analyse) =>
          async (documents, { sightings, ...rest } = {}) =>
            analyse(documents, {
              ...rest,
              sightings: async (document, fingerprints) => {
                if (document.id === removed) await remove();
                return sightings?.(document, [...fingerprints, { kind: 'figures', value: 'a'.repeat(64) }]) ?? [];
              },
            }),
      ),
    );
  });

  it('before it is read causes no failure, and no result speaks of it', async () => {
    await expectKeptOnly(
      await work((analyse) => async (...given) => {
        await remove();
        return analyse(...given);
      }),
    );
  });

  it('before the result is stored is left out of it', async () => {
    await expectKeptOnly(
      await work((analyse) => async (...given) => {
        const analysis = await analyse(...given);
        await remove();
        return analysis;
      }),
    );
  });
});
