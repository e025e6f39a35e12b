import type { Analysis } from '../analysis.ts';
import type { Check, CheckFinding } from '../result.ts';
import { contradictions } from './html-contradictions.ts';
import { documentSection } from './html-document.ts';
import { explanation, summary } from './html-summary.ts';
import { linkedPages, type Picture } from './linked-pages.ts';
import { Markup } from './markup.ts';
import { gravestFirst } from './sections.ts';
import { count } from './wording.ts';

/** The report for a page that has its own layout and shows one document at a time. Styled by `findings.css`. */

export interface FindingPlace {
  /** Undefined for a check across documents. */
  documentId: string | undefined;
  check: Check;
  finding: CheckFinding;
}

interface PartsOptions {
  /** The position of the document to show in the submission, from 1. Default: the gravest. */
  chosen: number | undefined;
  /** The link to a document, by its position in the submission, from 1. */
  hrefOf(place: number): string;
  /** Undefined if the document's pictures no longer exist. */
  picturesOf(documentId: string): ((picture: Picture) => string) | undefined;
  /** Markup for a finding's card. */
  beside(place: FindingPlace): string;
}

/** @returns the markup, and a title: the name of a single document, or the number of documents */
export function reportParts(analysis: Analysis, options: PartsOptions): { markup: string; title: string } {
  const { documents } = analysis;
  const [gravest] = gravestFirst(documents);
  const place = options.chosen !== undefined && documents[options.chosen - 1] ? options.chosen : gravest?.place;
  const parts = new Map(
    documents.map((document, index) => {
      const shown = linkedPages(document, options.picturesOf(document.document_id));
      return [document.document_id, { href: options.hrefOf(index + 1), shown }];
    }),
  );
  const beside = (documentId: string | undefined) => (check: Check, finding: CheckFinding) =>
    new Markup(options.beside({ documentId, check, finding }));
  const document = place === undefined ? undefined : documents[place - 1];
  const shown = document && parts.get(document.document_id)?.shown;
  const sections = [
    contradictions(analysis, parts, beside(undefined)),
    documents.length > 1 ? summary(analysis, options.hrefOf) : undefined,
    document &&
      shown &&
      documentSection(document, 'd', shown, ({ check, finding }) => beside(document.document_id)(check, finding)),
    explanation(),
  ];
  return {
    markup: sections.map((section) => section?.text ?? '').join('\n'),
    title: documents.length === 1 && document ? document.name : count(documents.length, 'document'),
  };
}
