/**
 * `npm run bench:report`: how long a worker takes for one report of five people with real documents, from the request to the sealed file:
 * six payslips, three statements and an identity document each, analysed and drawn. It should have fifty pages in less than 20 s.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { Readable } from 'node:stream';
import { pdfkitEmbedded } from '@tenant-screening/forensics-corpus/producers/pdfkit.ts';
import { randomOf } from '@tenant-screening/forensics-corpus/random.ts';
import { applicantOf, circumstances } from '@tenant-screening/forensics-corpus/sets/applicant.ts';
import { writtenSet } from '@tenant-screening/forensics-corpus/sets/written.ts';
import { ALL_LANDLORDS } from '../db/connection/queries/scope.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { insertForensicRun } from '../db/documents/forensic-runs.ts';
import { commandLine } from '../harness/process/command-line.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { addDocuments, storingDocuments } from '../jobs/documents/add-document.ts';
import { runForensic } from '../jobs/documents/run-forensic.ts';
import { makeReport } from '../jobs/reports/make-report.ts';
import { fileIn, requestReport } from '../jobs/reports/reports.ts';

const PEOPLE = 5;
const LOOKS = { payslip: 'statement', statement: 'columns', producer: pdfkitEmbedded } as const;
const { positionals } = commandLine('npm run bench:report [-- FILE.pdf]', { allowPositionals: true });
const [to] = positionals;

const test = await startTestService({ RUN_WORKERS: 'false' });
try {
  const { runtime } = test.service;
  const application = await fullApplication(test);
  const begun = performance.now();
  const by = { scope: ALL_LANDLORDS, actor: { kind: 'operator', id: 'the bench' }, viewer: 'Ana Ruiz' } as const;
  const id = await requestReport(runtime, application, 'de', by);
  await makeReport(runtime, id);
  const seconds = (performance.now() - begun) / 1000;
  const row = await runtime.db('reports').where({ id }).first();
  const file = row?.sealed_file ? fileIn({ sealed_file: row.sealed_file }, runtime) : undefined;
  if (!file) throw new Error('The report was not made.');
  if (to) await writeFile(to, file);
  const machine = `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`;
  console.log(`${row?.pages} pages, ${Math.round(file.length / 1024)} KiB, in ${seconds.toFixed(1)} s (${machine}).`);
} finally {
  await test.stop();
}

/** @returns the id of an application whose people have handed in their documents */
async function fullApplication({ alice, tenant, service: { runtime } }: TestService): Promise<string> {
  const { db, queue, now } = runtime;
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@bench.example`);
  const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
  const { application_id } = (await alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
  const row = await db('applications').where({ id: application_id }).first('api_key_id');
  for (const [index, email] of emails.entries()) {
    const random = randomOf('report', String(index));
    const set = applicantOf('de', circumstances[index] ?? 'plain', random);
    const { given, family } = set.identity.person;
    const { id: tenant_id } = await tenant(email, { name: `${given} ${family}` });
    const of = { tenant_id, api_key_id: row?.api_key_id ?? '' };
    const earlier = applicantOf('de', 'plain', random);
    const written = [
      ...(await writtenSet(set, LOOKS, random)),
      ...(await writtenSet({ ...earlier, statements: [], identity: set.identity }, LOOKS, random)).slice(0, 3),
    ];
    const files = written.map(({ name, bytes }) => ({ name, content: Readable.from([Buffer.from(bytes)]) }));
    await storingDocuments(runtime, files, (trx, stored) => addDocuments(trx, queue, of, stored, 'applicant', now()));
    await runForensic(runtime, await inTransaction(db, (trx) => insertForensicRun(trx, of, now())));
  }
  return application_id;
}
