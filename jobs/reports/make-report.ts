import { createHash } from 'node:crypto';
import { NotFound } from '../../core/errors.ts';
import type { ReportContent } from '../../core/reports/content.ts';
import { sealText, unsealText } from '../../core/secrets/secrets.ts';
import { readLanguage } from '../../core/texts/languages.ts';
import { completeReport, getReport, getSealed, type ListedReport, noteProgress } from '../../db/reports/reports.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import type { Runtime } from '../runtime.ts';
import { drawInThread } from './drawing-thread.ts';
import { gatherReport } from './gather-report.ts';
import { readContent } from './opened-reports.ts';
import { drawPictures } from './report-pictures.ts';
import { signPdf } from './sign-pdf.ts';
import { signingKey } from './signing-key.ts';

type Making = Pick<Runtime, 'db' | 'keys' | 'now' | 'log' | 'providers' | 'forensics' | 'reports' | 'publicUrl'>;

/**
 * Makes a due report:
 * 1. gathers what is known, or opens the content that a shared copy repeats;
 * 2. draws the pages of the documents, and notes the progress after each;
 * 3. draws the file for its viewer, seals it, and keeps both encrypted.
 * A report that was deleted meanwhile, with a person in it for instance, is not kept.
 */
export async function makeReport(runtime: Making, id: string): Promise<Ending> {
  const { db, keys, now, log } = runtime;
  const row = await getReport(db, id);
  if (row?.status !== 'pending') return 'nothing';
  const content =
    row.made_from === null
      ? await newContent(runtime, row)
      : await sharedContent(runtime, { ...row, id: row.made_from });
  if (!content) return 'nothing';
  const viewer = unsealText(row.sealed_viewer, keys.encryption);
  const copy = { id, viewer, verifyUrl: verifyUrl(runtime, id) };
  const { file, pages } = await drawInThread({ language: readLanguage(row.language) ?? 'en', content, copy });
  const signer = await signingKey(runtime);
  const signed = await signPdf(Buffer.from(file), signer);
  const made = {
    pages,
    sha256: createHash('sha256').update(signed).digest('hex'),
    certificate_sha256: createHash('sha256')
      .update(signer.certificates[0]?.raw ?? '')
      .digest('hex'),
    sealed_content: sealText(JSON.stringify(content), keys.encryption),
    sealed_file: sealText(signed.toString('base64'), keys.encryption),
  };
  await completeReport(db, id, made, now());
  log.info({ report: id, pages, bytes: signed.length }, 'report made');
  return 'success';
}

export function verifyUrl({ publicUrl }: Pick<Runtime, 'publicUrl'>, id: string): string {
  return `${publicUrl()}/report/verify?report=${id}`;
}

async function newContent(runtime: Making, row: ListedReport): Promise<ReportContent | undefined> {
  const { db } = runtime;
  const { id, application_id } = row;
  const language = readLanguage(row.language) ?? 'en';
  const gathered = await gatherReport(runtime, application_id, language).catch((error) => {
    // Erased meanwhile, the report with it.
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (!gathered) return undefined;
  const { content, drawables } = gathered;
  const total = drawables.flat().length + 1;
  const note = (done: number) => noteProgress(db, id, { done, total });
  if (!(await note(0))) return undefined;
  return (await drawPictures(runtime, drawables, note)) ? content : undefined;
}

async function sharedContent({ db, keys }: Making, source: Pick<ListedReport, 'id' | 'api_key_id'>) {
  const sealed = await getSealed(db, source, 'sealed_content');
  if (!sealed) throw new Error('The report was deleted since it was shared.');
  return readContent(unsealText(sealed, keys.encryption));
}
