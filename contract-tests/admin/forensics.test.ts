import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import type { Analysis } from '@tenant-screening/forensics/analysis';
import { expectContent } from '@tenant-screening/forensics/cli/files';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { sample } from '../../packages/forensics/tests/fixtures/sample-analysis.ts';

databases('either');

const EMAIL = 'forensics@mail.example';

describe('the command line’s forensics', () => {
  let payslip: string;
  /** A folder that no command may create. */
  let nowhere: { DATABASE_URL: string; DATA_DIR: string };
  const test = useService();
  const admin = new Admin(test);
  before(async () => {
    payslip = await admin.file(await payslipFile(), 'payslip \u001b[31m.pdf');
    nowhere = { DATABASE_URL: 'mysql://nowhere', DATA_DIR: join(test.folder, 'never-made') };
  });

  it('analyses loose files without a database, a folder or a key, and writes an HTML report', async () => {
    const other = await admin.file('No document at all.', 'notes.txt');
    const page = join(test.folder, 'report.html');
    const args = [payslip, other, payslip, '--html', page, '--fail-on', 'suspicious'];
    const { code, stdout, stderr } = await admin.run(['forensics', 'analyse', ...args], nowhere);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/^2 documents: .*1 inconclusive/);
    expect(stdout)
      .to.include('payslip \\u{1b}[31m.pdf')
      .and.include('notes.txt')
      .and.include(`For a browser: ${page}`)
      .and.not.include('\u001b');
    const html = await readFile(page, 'utf8');
    expect(html)
      .to.match(/^<!doctype html>/)
      .and.include('data:image/png;base64,');
    expect((await stat(page)).mode & 0o077, 'for no one else').to.equal(0);
    expect(existsSync(nowhere.DATA_DIR)).to.equal(false);
  });

  it('prints the analysis as JSON, and exits with 1 at the severity a script chose', async () => {
    const other = await admin.file('No document at all.', 'notes.txt');
    const failed = await admin.run(['forensics', 'analyse', other, '--json', '--fail-on', 'inconclusive'], nowhere);
    expect(failed).to.include({ code: 1, stderr: '' });
    const { engine, documents }: Analysis = JSON.parse(failed.stdout);
    expect(engine).to.have.all.keys('name', 'version');
    expect(documents).to.have.length(1);
    expect(documents[0]).to.include({ document_id: other, name: 'notes.txt', outcome: 'inconclusive' });
    expect(documents[0]?.facts.sha256).to.match(/^[0-9a-f]{64}$/);
  });

  it('analyses the others when one file is empty, which is inconclusive', async () => {
    const files = [payslip, await admin.file('', 'empty.pdf'), await admin.file('', 'photo 0.jpg')];
    const analysed = await admin.run(['forensics', 'analyse', ...files, '--json'], nowhere);
    expect(analysed).to.include({ code: 0, stderr: '' });
    const { documents }: Analysis = JSON.parse(analysed.stdout);
    const [, ...empty] = documents;
    expect(documents.map(({ name }) => name)).to.deep.equal([basename(payslip), 'empty.pdf', 'photo 0.jpg']);
    expect(empty.map(({ outcome }) => outcome)).to.deep.equal(['inconclusive', 'inconclusive']);
  });

  it('reports in one line what cannot be read or written, before it does anything', async () => {
    const refused = (code: 1 | 2, ...args: string[]) => admin.refused(code, ['forensics', 'analyse', ...args], nowhere);
    const before = await readFile(payslip);
    expect(await refused(2, payslip, '--html', payslip)).to.match(/ends with \.html/);
    expect((await readFile(payslip)).equals(before), 'a document typed in the wrong place').to.equal(true);
    for (const [file, fault] of [
      [join(test.folder, 'absent.pdf'), /^cannot read .*absent\.pdf: no such file/],
      [test.folder, /is a folder/],
      ['/dev/null', /is not a regular file/],
    ] as const)
      expect(await expectContent(file).catch(({ message }) => message)).to.match(fault);
    expect(existsSync(nowhere.DATA_DIR)).to.equal(false);
  });

  it('shows a stored analysis like a new one, by its id or by the tenant', async () => {
    const { id: tenantId } = await test.tenant(EMAIL, { documents: 1 });
    const { db } = test.service.runtime;
    const moment = '2026-04-02T09:41:00.000Z';
    const run = {
      tenant_id: tenantId,
      due_at: null,
      failures: 0,
      failure: null,
      created_at: moment,
      finished_at: moment,
    };
    await db('forensic_runs').insert([
      { ...run, id: 'of-the-engine', status: 'completed', result: JSON.stringify(sample) },
      {
        ...run,
        id: 'failed',
        status: 'failed',
        failure: 'No disk',
        result: null,
        finished_at: '2027-01-01T00:00:00.000Z',
      },
    ]);
    const shown = await admin.text('forensics', 'show', EMAIL);
    expect(shown).to.match(/^The analysis has completed\.\n\nforensic id +of-the-engine\n/);
    expect(shown).to.include('\n6 documents: 2 tampered').and.include('1.250,00 → 2.850,00');
    const asJson = await admin.json<{ result: Analysis }>('forensic', 'show', 'of-the-engine');
    expect(asJson.result).to.deep.equal(JSON.parse(JSON.stringify(sample)));
    expect(await admin.refused(1, ['forensics', 'show', 'failed'])).to.include('failed: No disk');
  });

  it('records a reviewer’s decision about a finding, and shows it beside the unchanged result', async () => {
    const of = ['--document', './payslip-2026-03.pdf', '--decision', 'harmless'];
    const decide = (rule: string, ...more: string[]) => ['forensics', 'decide', 'of-the-engine', rule, ...of, ...more];
    const why = ['--reason', 'A scanner did it.'];
    await admin.json(...decide('revised-text', ...why));
    expect(await admin.refused(1, decide('revised-text', '--finding', '9', ...why))).to.include('Finding');
    expect(await admin.refused(1, decide('revised-text', '--reason', ' '))).to.include('needs a reason');
    expect(await admin.text('forensics', 'show', 'of-the-engine')).to.match(/Decisions\n.*\n.*harmless/);
    const shown = await admin.json<{ result: Analysis; decisions: unknown[] }>('forensics', 'show', 'of-the-engine');
    expect(shown.decisions).to.have.length(1);
    expect(shown.decisions[0]).to.include({ rule: 'revised-text', finding: 1, reason: 'A scanner did it.' });
    expect(shown.result).to.deep.equal(JSON.parse(JSON.stringify(sample)));
    const { db } = test.service.runtime;
    expect(await db('audit_entries').where({ action: 'forensic.decide' }).pluck('resource_id')).to.deep.equal([
      'of-the-engine',
    ]);
  });

  it('lists the rules with their strength', async () => {
    const rules = await admin.json<Record<string, unknown>[]>('forensics', 'rules', '--strength', 'strong');
    expect(rules).to.not.be.empty;
    for (const rule of rules) {
      expect(rule).to.have.all.keys('rule', 'version', 'strength', 'family', 'title', 'applies_to');
      expect(rule['strength']).to.equal('strong');
    }
  });
});

async function payslipFile(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage();
  page.drawText('The net pay of March is 1.250,00, paid into the account known to us.', {
    x: 60,
    y: 700,
    size: 12,
    font,
  });
  return Buffer.from(await pdf.save());
}
