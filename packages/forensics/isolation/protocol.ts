import type { Fingerprint, Glance, Obstacle, Preview, Scaled, ScaledSize } from '../analysis.ts';
import type { Paper } from '../claims.ts';
import type { Pixels } from '../model.ts';
import type { Check, Facts } from '../result.ts';
import type { Rule } from '../rule.ts';

/** The header of a request to a worker; the document's bytes follow it. */
export interface AnalysisRequest {
  name: string;
  /** Only opens the document and glances at it, on this day; no rule runs. */
  inspect?: string;
  /** Only opens the document and draws these pages; no rule runs. */
  draw?: readonly number[];
  /** Only decodes a picture, and scales it down. */
  scale?: ScaledSize;
  previews: boolean;
  ocr: boolean;
  /** OCR budget for all pages together. */
  ocrSeconds: number;
}

/** The host measures size and digest itself. */
export type WorkerFacts = Omit<Facts, 'size_bytes' | 'sha256'>;

/** A check that has not run yet. */
export type PlannedCheck = Omit<Check, 'status' | 'reason' | 'compared' | 'findings'> & Pick<Rule, 'substance'>;

/** The messages of a worker, in this order. What arrived before the worker was killed counts. */
export type WorkerMessage =
  | { is: 'ready'; planned: PlannedCheck[] }
  | { is: 'opened'; facts: WorkerFacts; unreadable?: string }
  | { is: 'inspected'; obstacle?: Obstacle }
  | { is: 'glanced'; glance: Glance; thumbnail?: Pixels }
  | { is: 'check'; check: Check }
  | { is: 'examined'; fingerprints: Fingerprint[]; papers: Paper[] }
  | { is: 'preview'; preview: Preview }
  | { is: 'scaled'; scaled: Scaled }
  | { is: 'end' };
