import { NotFound } from '../../core/errors.ts';
import type { ReportContent } from '../../core/reports/content.ts';
import { unsealText } from '../../core/secrets/secrets.ts';
import { readLanguage } from '../../core/texts/languages.ts';
import { completeReport, getReport, getSealed, type ListedReport, noteProgress } from '../../db/reports/reports.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import type { Runtime } from '../runtime.ts';
import { drawInThread } from './drawing-thread.ts';
import { gatherReport } from './gather-report.ts';
import { readContent } from './opened-reports.ts';
import { addPictures, keepParts } from './report-parts.ts';
import { drawPictures } from './report-pictures.ts';
import { digestOf, signPdf } from './sign-pdf.ts';
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
      : await sharedContent(runtime, row.api_key_id, row.made_from);
  if (!content) return 'nothing';
  const viewer = unsealText(row.sealed_viewer, keys.encryption);
  const copy = { id, viewer, verifyUrl: verifyUrl(runtime, id) };
  const { file, pages } = await drawInThread({ language: readLanguage(row.language) ?? 'en', content, copy });
  const signer = await signingKey(runtime);
  const signed = await signPdf(Buffer.from(file), signer);
  const sha256 = (await digestOf(signed)).toString('hex');
  const [own] = signer.certificates;
  const certificate_sha256 = (await digestOf(own?.raw ?? Buffer.alloc(0))).toString('hex');
  const sealed_content = await keepParts(runtime, { id, sha256 }, content, signed);
  await completeReport(db, id, { pages, sha256, certificate_sha256, sealed_content }, now());
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

async function sharedContent(runtime: Making, api_key_id: string, id: string): Promise<ReportContent> {
  const { db, keys } = runtime;
  const source = await getReport(db, id);
  const sealed = source && (await getSealed(db, { id, api_key_id }, 'sealed_content'));
  if (!sealed) throw new Error('The report was deleted since it was shared.');
  const content = readContent(unsealText(sealed, keys.encryption));
  await addPictures(runtime, { id, api_key_id, sha256: source.sha256 }, content);
  return content;
}
