import type { Fingerprint, Preview } from '../analysis.ts';
import type { Check, Facts } from '../result.ts';

/** What the service asks an analysing process for. */
export interface Asked {
  name: string;
  previews: boolean;
  ocr: boolean;
  /** For reading text from pictures, of all pages together. */
  ocrSeconds: number;
}

/** Size and digest the service knows for itself. */
export type AnalysedFacts = Omit<Facts, 'size_bytes' | 'sha256'>;

/** A check that was not done yet. */
export type Planned = Omit<Check, 'status' | 'reason' | 'findings'>;

/** What an analysing process tells, in this order: what was done before it is ended counts. */
export type Told =
  | { is: 'ready'; planned: Planned[] }
  | { is: 'opened'; facts: AnalysedFacts; unreadable?: string }
  | { is: 'check'; check: Check }
  | { is: 'examined'; fingerprints: Fingerprint[] }
  | { is: 'preview'; preview: Preview }
  | { is: 'end' };
