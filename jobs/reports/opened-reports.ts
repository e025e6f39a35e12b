import type { ReportContent } from '../../core/reports/content.ts';
import { picturesIn } from '../../core/reports/in-markup.ts';
import { unsealText } from '../../core/secrets/secrets.ts';
import { sharedAnswers } from '../../core/shared-answers.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { getSealed, type ListedReport } from '../../db/reports/reports.ts';
import type { Runtime } from '../runtime.ts';
import { fileInPieces, pictureInParts } from './report-parts.ts';

/** A page with forty pictures requests the same report many times, and a loop of downloads the same file. */

type Opening = Pick<Runtime, 'db' | 'keys'>;
type FoundReport = Pick<ListedReport, 'id' | 'api_key_id' | 'status' | 'sha256'>;

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

/** A picture of a report by its name. */
export async function pictureOf(opening: Opening, report: FoundReport, name: string): Promise<Buffer | undefined> {
  const part = await pictureInParts(opening, report, name);
  if (part) return part;
  const content = await contentOf(opening, report);
  const [, picture] = (content && picturesIn(content).find(([known]) => known === name)) ?? [];
  return picture && picture.jpeg !== '' ? Buffer.from(picture.jpeg, 'base64') : undefined;
}

export function readContent(text: string): ReportContent {
  return JSON.parse(text);
}

/** The file of a report, in the same way. */
export async function fileOf({ db, keys }: Opening, report: FoundReport): Promise<Buffer | undefined> {
  if (report.status !== 'completed') return undefined;
  return files(report.id, async () => {
    const pieces = await fileInPieces({ db, keys }, report);
    if (pieces) return pieces;
    const sealed_file = await getSealed(db, report, 'sealed_file');
    return sealed_file ? Buffer.from(unsealText(sealed_file, keys.encryption), 'base64') : undefined;
  });
}
