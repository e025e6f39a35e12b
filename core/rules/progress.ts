import type { DocumentType } from './document-types.ts';
import type { SeenDocument } from './upload-answers.ts';
import type { WantedDocument } from './wanted-documents.ts';

/** The steps of a person in one application, in order. The checks are steps only once the landlord's software started them. */
export const stepNames = ['answer', 'profile', 'documents', 'kyc', 'eid', 'analysis'] as const;
export type StepName = (typeof stepNames)[number];

/** `open`: waits for the person. `running`: ends without the person. `ended`: over without a success; only the landlord can start it again. */
export type StepState = 'done' | 'open' | 'running' | 'ended';

export interface Step {
  name: StepName;
  state: StepState;
}

/** What the person should know first. */
export type Summary =
  | { kind: 'missing'; steps: StepName[] }
  | { kind: 'ended'; steps: StepName[] }
  | { kind: 'running'; steps: StepName[] }
  | { kind: 'complete' };

/** Nothing is complete while a step is open, without success, or running. */
export function summaryOf(steps: readonly Step[]): Summary {
  for (const [kind, state] of [
    ['missing', 'open'],
    ['ended', 'ended'],
    ['running', 'running'],
  ] as const) {
    const found = steps.filter((step) => step.state === state).map(({ name }) => name);
    if (found.length > 0) return { kind, steps: found };
  }
  return { kind: 'complete' };
}

/** A wanted kind of document, and how many of it the person has handed in. */
export interface WantedState extends WantedDocument {
  handed: number;
}

/** A statement of the person's bank covers all the months that several uploaded ones would; a file may hold several payslips. */
export function wantedStates(
  wanted: readonly WantedDocument[],
  documents: readonly { type: DocumentType | null; source: string; seen?: SeenDocument | undefined }[],
): WantedState[] {
  return wanted.map((one) => {
    const own = documents.filter(({ type }) => type === one.type);
    const counted = own.reduce((sum, { seen }) => sum + (seen?.look === one.type ? seen.count : 1), 0);
    return { ...one, handed: own.some(({ source }) => source === 'bank') ? one.count : counted };
  });
}

/** Without a list, one document of any kind is enough. */
export function hasWanted(states: readonly WantedState[], documents: number): boolean {
  return states.length === 0 ? documents > 0 : states.every(({ count, handed }) => handed >= count);
}

/** A request for one document, again, with a reason. */
export interface DocumentRequest {
  type: DocumentType;
  created_at: string;
}

/** A request is open until a document of its kind arrives. */
export function isRequestOpen(
  { type, created_at }: DocumentRequest,
  documents: readonly { type: DocumentType | null; created_at: string }[],
): boolean {
  return !documents.some((document) => document.type === type && document.created_at > created_at);
}
