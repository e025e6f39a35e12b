import type { DocumentResult } from '@tenant-screening/forensics/result';

/** Messages between the measuring process and the engine's host. */

export interface HostRequest {
  files: { id: string; name: string; path: string }[];
  /** Whether to read text in pictures. */
  ocr: boolean;
  /** Documents analysed at once. */
  parallel: number;
}

export interface Memory {
  /** Memory of the host, before and after. */
  beforeMib: number;
  afterMib: number;
  /** Memory of the largest worker; 0 on systems without /proc. */
  childPeakMib: number;
}

export type HostMessage =
  | { kind: 'document'; id: string; result: DocumentResult; durationMs: number }
  | ({ kind: 'done' } & Memory)
  | { kind: 'failed'; reason: string };
