import type { DocumentResult } from '@tenant-screening/forensics/result';

/** Between the measuring process and the one that stands for the service. */

export interface Asked {
  files: { id: string; name: string; path: string }[];
  /** Whether text is read from pictures. */
  ocr: boolean;
  /** Documents side by side. */
  parallel: number;
}

export interface Memory {
  /** Of the service, before and after. */
  beforeMib: number;
  afterMib: number;
  /** Of the largest process that analysed a document; 0 where the system does not tell. */
  childPeakMib: number;
}

export type Told =
  | { kind: 'document'; id: string; result: DocumentResult; durationMs: number }
  | ({ kind: 'done' } & Memory)
  | { kind: 'failed'; reason: string };
