import type { DocumentResult } from './result.ts';

/** The input and output of an analysis. */

export interface SubmittedDocument {
  /** Chosen by the caller; returned with the result. */
  id: string;
  name: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface AnalysedDocument extends DocumentResult {
  document_id: string;
  name: string;
}

export interface Analysis {
  engine: { name: string; version: string };
  /** In the order of submission. */
  documents: AnalysedDocument[];
}

/** A page rendered for a report. */
export interface Preview {
  page: number;
  /** In the units of evidence: points, or pixels of a picture. */
  width: number;
  height: number;
  /** PNG or JPEG. */
  picture: Uint8Array;
  /** Error level analysis of a JPEG: brighter where recompression changes more. For people to look at; it decides nothing. */
  errorLevels?: Uint8Array;
}

/** A match with other tenants' documents. */
export interface Sighting {
  kind: 'file' | 'origin' | 'figures';
  /** Number of other tenants that have it. */
  tenants: number;
}

export interface Fingerprint {
  kind: Sighting['kind'];
  /** Hexadecimal. */
  value: string;
}

export interface AnalysisOptions {
  /** Called for each document with previews, pages with findings first. Without it nothing is rendered. */
  onPreviews?: (document: SubmittedDocument, previews: Preview[]) => Promise<void> | void;
  /** Looks up fingerprints. Without it the rule `seen-elsewhere` is not applicable. */
  sightings?: (document: SubmittedDocument, fingerprints: Fingerprint[]) => Promise<Sighting[]>;
  /** Called as each document completes. */
  onDocument?: (result: AnalysedDocument, durationMs: number) => void;
}

/** Why a document cannot be read: `harmful` would exhaust a reader, as decompression bombs do. */
export type Obstacle = 'encrypted' | 'damaged' | 'harmful';

export interface EngineSettings {
  /** Limit of processor time for a document, in seconds: how busy the machine is does not count. */
  secondsADocument: number;
  /** Memory limit for a document, in MiB. */
  memoryMib: number;
  /** Number of documents analysed at once. */
  parallel: number;
  /** Whether to read text in pictures, which takes seconds a page. Default: true. */
  ocr?: boolean;
}

/** A hostile file is `inconclusive` with a reason; `analyse` rejects only on faults of its own or of the source. */
export interface ForensicEngine {
  analyse(documents: readonly SubmittedDocument[], options?: AnalysisOptions): Promise<Analysis>;
  /**
   * Opens a document in the sandbox and runs no rule: the check of an upload, before it is accepted.
   * @returns undefined when it can be read
   */
  inspect(document: SubmittedDocument): Promise<Obstacle | undefined>;
  /** Names the versions of the engine and its rules, and the settings that bear on results. Equal text: equal results. */
  edition(): Promise<string>;
  /** Kills running workers; pending analyses reject with EngineClosed. */
  close(): Promise<void>;
}
