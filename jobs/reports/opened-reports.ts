import type { ReportContent } from '../../core/reports/content.ts';
import { unsealText } from '../../core/secrets/secrets.ts';
import { sharedAnswers } from '../../core/shared-answers.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { getSealed, type ListedReport } from '../../db/reports/reports.ts';
import type { Runtime } from '../runtime.ts';

/** A page with forty pictures requests the same report many times, and opening one can take a tenth of a second of the event loop. */

type Opening = Pick<Runtime, 'db' | 'keys'>;
type FoundReport = Pick<ListedReport, 'id' | 'api_key_id' | 'status'>;

const MAX_BYTES = 64 * 1024 * 1024;

interface Opened {
  content: ReportContent;
  /** The length of the text from which it was read. */
  bytes: number;
}

const contents = sharedAnswers<Opened | undefined>(MINUTE_MS, {
  maxBytes: MAX_BYTES,
  bytesOf: (opened) => opened?.bytes ?? 0,
});
const files = sharedAnswers<Buffer | undefined>(MINUTE_MS, {
  maxBytes: MAX_BYTES,
  bytesOf: (file) => file?.length ?? 0,
});

/** What a report says, kept for a minute, in memory only. Undefined until it is made. @param report as it was found in the scope of its reader */
export async function contentOf({ db, keys }: Opening, report: FoundReport): Promise<ReportContent | undefined> {
  if (report.status !== 'completed') return undefined;
  const opened = await contents(report.id, async () => {
    const sealed = await getSealed(db, report, 'sealed_content');
    if (!sealed) return undefined;
    const text = unsealText(sealed, keys.encryption);
    return { content: readContent(text), bytes: text.length };
  });
  return opened?.content;
}

export function readContent(text: string): ReportContent {
  return JSON.parse(text);
}

/** The file of a report, in the same way. */
export async function fileOf({ db, keys }: Opening, report: FoundReport): Promise<Buffer | undefined> {
  if (report.status !== 'completed') return undefined;
  return files(report.id, async () => {
    const sealed_file = await getSealed(db, report, 'sealed_file');
    return sealed_file ? fileIn({ sealed_file }, { keys }) : undefined;
  });
}

export function fileIn({ sealed_file }: { sealed_file: string }, { keys }: Pick<Runtime, 'keys'>): Buffer {
  return Buffer.from(unsealText(sealed_file, keys.encryption), 'base64');
}
