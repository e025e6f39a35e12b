import type { DocumentResult } from './result.ts';

/** What an analysis is asked for and what it answers. */

export interface SubmittedDocument {
  /** Of the caller's; comes back with the result. */
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
  /** In the order in which they were submitted. */
  documents: AnalysedDocument[];
}

/** A page as a picture, for a report. */
export interface Preview {
  page: number;
  /** As evidence counts: in points, or pixels of a picture. */
  width: number;
  height: number;
  /** PNG or JPEG. */
  picture: Uint8Array;
  /** Of a JPEG, one that is brighter where compressing the picture again changes more. For people: it decides nothing. */
  errorLevels?: Uint8Array;
}

/** Where else something of a document was seen, by whoever knows other tenants' documents. */
export interface Sighting {
  kind: 'file' | 'origin' | 'figures';
  /** How many other tenants have it. */
  tenants: number;
}

export interface Fingerprint {
  kind: Sighting['kind'];
  /** In hex. */
  value: string;
}

export interface AnalysisOptions {
  /** Called for each document with pictures of its pages, those with findings first; nothing is drawn without it. */
  onPreviews?: (document: SubmittedDocument, previews: Preview[]) => Promise<void> | void;
  /** Looks fingerprints up; without it the rule about other tenants is not applicable. */
  sightings?: (document: SubmittedDocument, fingerprints: Fingerprint[]) => Promise<Sighting[]>;
  /** Called as each document is done. */
  onDocument?: (result: AnalysedDocument, durationMs: number) => void;
}

export interface EngineSettings {
  /** After so many seconds the analysis of a document is ended. */
  secondsADocument: number;
  /** More memory than this ends the analysis of a document, in MiB. */
  memoryMib: number;
  /** How many documents are analysed side by side. */
  parallel: number;
  /** Whether text is read from pictures, which takes seconds a page; it is unless told otherwise. */
  ocr?: boolean;
}

/** A hostile file is `inconclusive` with its reason; only what is wrong with ourselves rejects. */
export interface ForensicEngine {
  analyse(documents: readonly SubmittedDocument[], options?: AnalysisOptions): Promise<Analysis>;
  /** Ends what runs. */
  close(): Promise<void>;
}
