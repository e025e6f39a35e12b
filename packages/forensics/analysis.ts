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

/** The kinds of documents that a glance tells apart. */
export const LOOKS = ['payslip', 'bank_statement', 'identity', 'employment_letter', 'tax_assessment'] as const;
export type Look = (typeof LOOKS)[number];

/** What a file shows at first sight, to answer the person who hands it in. It judges nothing. */
export interface Glance {
  /** The kind that it clearly looks like. */
  look?: Look;
  /** Every kind that something speaks for. */
  possible: Look[];
  /** The newest day that it is about, such as `2026-03-31`. */
  day?: string;
  /** When an identity document ends. */
  expires?: string;
  /** The numbers printed on its pages, and those that are missing among them. */
  numbers: number[];
  missing: number[];
  /** How many separate documents it holds, such as three payslips. */
  count: number;
  /** Photos or scans, without digital text. */
  isPicture: boolean;
}

/** The result of opening a document. */
export interface Inspection {
  /** Why it cannot be read. */
  obstacle?: Obstacle;
  /** Absent when it cannot be read within the limits. */
  glance?: Glance;
  /** The first page as a small PNG. */
  thumbnail?: Uint8Array;
}

/** Into what a picture is scaled down, and how large it may be. */
export interface ScaledSize {
  width: number;
  height: number;
  maxMegapixels: number;
}

/** The pixels of a picture, with their transparency: RGBA, four bytes each. */
export interface Scaled {
  width: number;
  height: number;
  data: Uint8Array;
}

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

/** Draws one document after the other in the same process. Documents that come from their issuer, such as a bank, get processes of their own. To be closed when done. */
export interface Drawer {
  draw: ForensicEngine['draw'];
  close(): void;
}

/** A hostile file is `inconclusive` with a reason; `analyse` rejects only on internal faults or faults of the source. */
export interface ForensicEngine {
  analyse(documents: readonly SubmittedDocument[], options?: AnalysisOptions): Promise<Analysis>;
  /**
   * Opens a document in the sandbox without running rules, to check an upload before accepting it, and to tell the person what it looks
   * like.
   * @param today such as `2026-03-31`
   * @param person identifies whose document it is: the process is kept for a while for further documents of that person
   */
  inspect(document: SubmittedDocument, today: string, person: string): Promise<Inspection>;
  /**
   * Draws pages in the sandbox without running rules, for viewing a result later.
   * @param pages page numbers from 1, a subset of `pagesToShow`
   * @returns those that can be drawn
   */
  draw(document: SubmittedDocument, pages: readonly number[]): Promise<Preview[]>;
  /**
   * Decodes a picture (PNG, JPEG or WebP) in the sandbox, and scales it down into a size.
   * @returns only its pixels, or why there are none
   */
  scale(picture: SubmittedDocument, size: ScaledSize): Promise<Scaled | Obstacle>;
  /** Draws pages of several documents of one person. */
  drawer(): Promise<Drawer>;
  /** Identifies the versions of the engine and its rules, and the settings that affect results. Equal text means equal results. */
  edition(): Promise<string>;
  /** Kills running workers; pending analyses reject with EngineClosed. */
  close(): Promise<void>;
}
