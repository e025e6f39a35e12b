import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { ReportContent } from '../../core/reports/content.ts';
import { reportTextsOf } from '../../core/texts/report-texts.ts';
import { databases } from '../../harness/database/dialect.ts';
import { drawReport } from '../../jobs/reports/draw-report.ts';
import { createOwnKey } from '../../jobs/reports/own-certificate.ts';
import { signPdf } from '../../jobs/reports/sign-pdf.ts';
import { longReport } from './long-report.ts';

databases('none', 'nightly');

const run = promisify(execFile);
const VERAPDF = 'org.verapdf.apps:cli:1.30.2';

/** Runs a program of another maker. @throws naming what to install when it is missing: a check that is skipped finds nothing */
async function outside(program: string, parameters: string[], install: string): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, parameters, { maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error(`${program} is missing; install it: ${install}`);
    throw error;
  }
}

describe('a report, to readers of other makers', () => {
  let folder = '';
  let certificate = '';
  const files: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reports-'));
    const signer = await createOwnKey('Tenant Screening', new Date());
    certificate = join(folder, 'certificate.pem');
    await writeFile(certificate, signer.certificates.join(''));
    const content: ReportContent = await longReport();
    for (const language of ['de', 'ca'] as const) {
      const copy = {
        id: 'a number',
        viewer: 'Zoë Ångström-Łukasz Παπαδόπουλος',
        verifyUrl: 'https://screening.example/report/verify',
      };
      const { file, pages } = await drawReport(reportTextsOf(language), { ...content, language }, copy);
      const signed = await signPdf(file, signer);
      expect(pages).to.be.at.least(50);
      const path = join(folder, `${language}.pdf`);
      await writeFile(path, signed);
      files.push(path);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has a signature over the whole file that pdfsig finds valid', async () => {
    for (const file of files) {
      const said = await outside('pdfsig', ['-nocert', file], 'apt-get install poppler-utils');
      expect(said).to.include('Signature is Valid').and.include('Total document signed');
      expect(said).to.include('ETSI.CAdES.detached');
    }
  });

  it('is no longer valid for pdfsig once a byte is changed', async () => {
    const bytes = await readFile(files[0] ?? '');
    const path = join(folder, 'changed.pdf');
    bytes.write('9', bytes.indexOf('/CreationDate') + 20);
    await writeFile(path, bytes);
    expect(await outside('pdfsig', ['-nocert', path], '').catch(String)).to.not.include('Signature is Valid');
  });

  it('has a signature that pyHanko judges valid, by the certificate', async () => {
    for (const file of files) {
      const parameters = ['sign', 'validate', '--pretty-print', '--trust', certificate, file];
      const said = await outside('pyhanko', parameters, 'pip install pyhanko pyhanko-cli');
      expect(said).to.include('The signature is judged VALID').and.include('covers the entire file');
    }
  });

  it('is PDF/A-2a by veraPDF', async () => {
    const path = await veraPdf(folder);
    const main = 'org.verapdf.apps.GreenfieldCliWrapper';
    const parameters = ['-cp', path, main, '-f', '2a', ...files];
    const said = await outside('java', parameters, 'apt-get install default-jre-headless');
    expect(said.match(/isCompliant="true"/g)).to.have.length(files.length);
  });
});

/** The class path of veraPDF's command, from Maven. */
async function veraPdf(folder: string): Promise<string> {
  const [groupId, artifactId, version] = VERAPDF.split(':');
  const dependency = `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`;
  const own =
    '<modelVersion>4.0.0</modelVersion><groupId>tests</groupId><artifactId>verapdf</artifactId><version>1</version>';
  await writeFile(join(folder, 'pom.xml'), `<project>${own}<dependencies>${dependency}</dependencies></project>`);
  const list = join(folder, 'class-path.txt');
  const parameters = ['-q', '-f', join(folder, 'pom.xml'), 'dependency:build-classpath', `-Dmdep.outputFile=${list}`];
  await outside('mvn', parameters, 'apt-get install maven');
  return readFile(list, 'utf8');
}
