import { Readable } from 'node:stream';
import { pdfkitEmbedded } from '@tenant-screening/forensics-corpus/producers/pdfkit.ts';
import { randomOf } from '@tenant-screening/forensics-corpus/random.ts';
import { applicantOf, circumstances } from '@tenant-screening/forensics-corpus/sets/applicant.ts';
import { writtenSet } from '@tenant-screening/forensics-corpus/sets/written.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { insertForensicRun } from '../db/documents/forensic-runs.ts';
import type { TestService } from '../harness/service/service.ts';
import { addDocuments, storingDocuments } from '../jobs/documents/add-document.ts';
import { runForensic } from '../jobs/documents/run-forensic.ts';

/** What a report of fifty pages is to be made in. */
export const MIN_PAGES = 50;
export const MAX_SECONDS = 20;

/** How many earlier quarters each person has payslips of, so that there are fifty pages. */
const EARLIER_QUARTERS = [2, 2, 1, 1, 1];
const LOOKS = { payslip: 'statement', statement: 'columns', producer: pdfkitEmbedded } as const;

/** @returns the id of an application whose report has fifty pages: its people have handed in their documents, which are analysed */
export async function applicationOfFiftyPages({ alice, tenant, service: { runtime } }: TestService): Promise<string> {
  const { db, queue, now } = runtime;
  const emails = EARLIER_QUARTERS.map((_, index) => `person-${index}@bench.example`);
  const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
  const { application_id } = (await alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
  const row = await db('applications').where({ id: application_id }).first('api_key_id');
  for (const [index, email] of emails.entries()) {
    const random = randomOf('report', String(index));
    const set = applicantOf('de', circumstances[index] ?? 'plain', random);
    const { given, family } = set.identity.person;
    const { id: tenant_id } = await tenant(email, { name: `${given} ${family}` });
    const of = { tenant_id, api_key_id: row?.api_key_id ?? '' };
    const earlierQuarters = EARLIER_QUARTERS[index] ?? 0;
    const written = await writtenSet(set, LOOKS, random);
    for (let quarter = 0; quarter < earlierQuarters; quarter += 1) {
      const earlier = { ...applicantOf('de', 'plain', random), statements: [] };
      const files = await writtenSet(earlier, LOOKS, random);
      written.push(...files.slice(0, earlier.payslips.length));
    }
    const files = written.map(({ name, bytes }) => ({ name, content: Readable.from([Buffer.from(bytes)]) }));
    await storingDocuments(runtime, files, (trx, stored) => addDocuments(trx, queue, of, stored, 'applicant', now()));
    await runForensic(runtime, await inTransaction(db, (trx) => insertForensicRun(trx, of, now())));
  }
  return application_id;
}
