import type { Obstacle } from './analysis.ts';
import { pixelsOf } from './image/pixels.ts';
import { Unreadable } from './model.ts';
import { NeedsPassword, withPdf } from './pdf/paint/open.ts';
import { prescan } from './prescan/prescan.ts';
import { Refused } from './prescan/refused.ts';

/** Reads a file far enough to know that it can be viewed. @returns the obstacle; undefined if it can be read */
export async function obstacleIn(bytes: Uint8Array): Promise<Obstacle | undefined> {
  try {
    const { kind } = prescan(bytes);
    if (kind === 'pdf') await withPdf(bytes, async (pdf) => pdf.getPage(1));
    else await pixelsOf(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return 'harmful';
    if (error instanceof NeedsPassword) return 'encrypted';
    if (error instanceof Unreadable) return 'damaged';
    throw error;
  }
}
