import type { Preview } from '@tenant-screening/forensics/analysis';
import { sharedAnswers } from '../../core/shared-answers.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { DocumentRow } from '../../db/documents/documents.ts';
import type { Runtime } from '../runtime.ts';
import { watermarked } from './watermark.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Caches the drawn pages that members and operators view: for a minute, in memory only, separately for each viewer, whose watermark they
 * bear. A page with twelve pictures requests the same document many times.
 */
export class DrawnDocuments {
  readonly #shared = sharedAnswers<Preview[]>(MINUTE_MS, {
    maxBytes: MAX_BYTES,
    bytesOf: (previews) => previews.reduce((sum, { picture }) => sum + picture.length, 0),
  });

  /**
   * @param viewer who looks, and what their watermark says
   * @param onDraw called before the document is read
   * @throws ProviderUnavailable, EngineClosed
   */
  pagesOf(
    { providers, forensics }: Pick<Runtime, 'providers' | 'forensics'>,
    { id, name, sha256 }: Pick<DocumentRow, 'id' | 'name' | 'sha256'>,
    pages: readonly number[],
    { viewer, watermark, onDraw }: { viewer: string; watermark: string; onDraw: () => Promise<void> },
  ): Promise<Preview[]> {
    return this.#shared(JSON.stringify([viewer, id, pages]), async () => {
      await onDraw();
      const previews = await forensics.draw({ id, name, read: () => providers.documents.get(sha256) }, pages);
      const marked: Preview[] = [];
      for (const preview of previews) marked.push(await watermarked(preview, watermark));
      return marked;
    });
  }
}
