import type { OwnedPaper } from './across/paper.ts';
import type { Check, DocumentResult } from './result.ts';

/** The input and output of an analysis. */

export interface SubmittedDocument {
  /** Chosen by the caller; returned with the result. */
  id: string;
  name: string;
  /**
   * It came from its issuer, such as a bank, and never through the applicant's hands. A contradiction then counts against the other
   * document alone.
   */
  isFromIssuer?: boolean;
  read(): AsyncIterable<Uint8Array>;
}

export interface AnalysedDocument extends DocumentResult {
  document_id: string;
  name: string;
}

export interface Analysis {
  engine: { name: string; version: string };
  /** Checks across the documents. The evidence of their findings names the document of each place. */
  cross_checks: Check[];
  /** In the order of submission. */
  documents: AnalysedDocument[];
  /** What the documents say about the applicant, as it was compared. */
  papers: OwnedPaper[];
}

/** A page rendered for a report. */
export interface Preview {
  page: number;
  /** In the units of evidence: points, or pixels of a picture. */
  width: number;
  height: number;
  /** PNG or JPEG. */
  picture: Uint8Array;
  /** Error level analysis of a JPEG: brighter where recompression changes more. For visual inspection only; it decides nothing. */
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
  /** Called for each document with its previews, pages with findings first. If absent, nothing is rendered. */
  onPreviews?: (document: SubmittedDocument, previews: Preview[]) => Promise<void> | void;
  /** Looks up fingerprints. If absent, the rule `seen-elsewhere` is not applicable. */
  sightings?: (document: SubmittedDocument, fingerprints: Fingerprint[]) => Promise<Sighting[]>;
  /** Called as the checks of each document complete. The outcome may still change, because documents are compared once all are done. */
  onExamined?: (result: AnalysedDocument, durationMs: number) => void;
  /** Called for each document once all have been compared, with its final outcome and the time its checks took. */
  onDocument?: (result: AnalysedDocument, durationMs: number) => void;
}

/** Why a document cannot be read. `harmful`: it would exhaust a reader, as decompression bombs do. */
export type Obstacle = 'encrypted' | 'damaged' | 'harmful';

export interface EngineSettings {
  /** CPU time limit for a document, in seconds, so that the load on the machine does not matter. */
  secondsADocument: number;
  /** Memory limit for a document, in MiB. */
  memoryMib: number;
  /** Number of documents analysed at once. */
  parallel: number;
  /** Whether to run OCR on pictures, which takes seconds a page. Default: true. */
  ocr?: boolean;
  /**
   * Makes a resource of a number of permits. The engine has one for analyses, one for inspections and one for drawings. By default, permits
   * are given first come, first served.
   */
  permits?: (count: number, use: 'analyses' | 'inspections' | 'drawings') => Permits;
}

/** Limits how much is done at once, and decides who waits. */
export interface Permits {
  /** Runs the work when a permit is free. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  hasWaiters(): boolean;
}

/** A hostile file is `inconclusive` with a reason; `analyse` rejects only on internal faults or faults of the source. */
export interface ForensicEngine {
  analyse(documents: readonly SubmittedDocument[], options?: AnalysisOptions): Promise<Analysis>;
  /**
   * Opens a document in the sandbox without running rules, to check an upload before accepting it.
   * @returns undefined when it can be read
   */
  inspect(document: SubmittedDocument): Promise<Obstacle | undefined>;
  /**
   * Draws pages in the sandbox without running rules, for viewing a result later.
   * @param pages page numbers from 1, a subset of `pagesToShow`
   * @returns those that can be drawn
   */
  draw(document: SubmittedDocument, pages: readonly number[]): Promise<Preview[]>;
  /** Identifies the versions of the engine and its rules, and the settings that affect results. Equal text means equal results. */
  edition(): Promise<string>;
  /** Kills running workers; pending analyses reject with EngineClosed. */
  close(): Promise<void>;
}
