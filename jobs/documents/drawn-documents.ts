import type { Preview } from '@tenant-screening/forensics/analysis';
import type { DocumentRow } from '../../db/documents/documents.ts';
import type { Runtime } from '../runtime.ts';
import { watermarked } from './watermark.ts';

/** A page with twelve pictures requests the same document many times. It is drawn again for a viewer who returns later. */
const KEPT_MS = 60_000;
const MAX_KEPT = 8;
const MAX_BYTES = 64 * 1024 * 1024;

interface Drawn {
  bytes: number;
  pages: Promise<Preview[]>;
}

/** Caches the drawn pages that members and operators view: for a minute, in memory only, separately for each viewer, whose watermark they bear. */
export class DrawnDocuments {
  readonly #kept = new Map<string, Drawn>();

  /**
   * @param viewer who looks, and what their watermark says
   * @param onDraw called before the document is read
   * @throws ProviderUnavailable, EngineClosed
   */
  async pagesOf(
    { providers, forensics }: Pick<Runtime, 'providers' | 'forensics'>,
    { id, name, sha256 }: Pick<DocumentRow, 'id' | 'name' | 'sha256'>,
    pages: readonly number[],
    { viewer, watermark, onDraw }: { viewer: string; watermark: string; onDraw: () => Promise<void> },
  ): Promise<Preview[]> {
    const key = JSON.stringify([viewer, id, pages]);
    const known = this.#kept.get(key);
    if (known) return known.pages;
    const draw = async () => {
      await onDraw();
      const previews = await forensics.draw({ id, name, read: () => providers.documents.get(sha256) }, pages);
      const marked: Preview[] = [];
      for (const preview of previews) marked.push(await watermarked(preview, watermark));
      return marked;
    };
    const drawn: Drawn = { bytes: 0, pages: draw() };
    this.#kept.set(key, drawn);
    try {
      const previews = await drawn.pages;
      for (const { picture } of previews) drawn.bytes += picture.length;
      setTimeout(() => this.#kept.delete(key), KEPT_MS).unref();
      this.#forgetOldest();
      return previews;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #forgetOldest(): void {
    let bytes = [...this.#kept.values()].reduce((sum, drawn) => sum + drawn.bytes, 0);
    for (const [key, drawn] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && bytes <= MAX_BYTES) return;
      bytes -= drawn.bytes;
      this.#kept.delete(key);
    }
  }
}
