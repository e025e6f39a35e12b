import type { Income } from '../rules/income-types.ts';

/** What a report about an application says, as it is kept: a report never changes after it was made. */
export interface ReportContent {
  /** The language in which it was made. */
  language: string;
  madeAt: string;
  landlord: string;
  /** Such as `#0a7d33`; null for the service's own. */
  colour: string | null;
  /** A PNG in base64. */
  logo: { png: string; width: number; height: number } | null;
  application: { id: string; title: string; createdAt: string };
  /** The address of the linked property; null without one. */
  property: string | null;
  rentCents: number | null;
  incomeCents: number | null;
  sharePercent: number | null;
  /** The landlord's rule, `35%` or `3x`. */
  rule: string | null;
  isMet: boolean | null;
  guarantorCents: number | null;
  people: ReportPerson[];
}

export interface ReportPerson {
  name: string;
  email: string;
  isLead: boolean;
  isGuarantor: boolean;
  consent: 'pending' | 'accepted' | 'rejected';
  agreements: ReportAgreement[];
  checks: ReportCheck[];
  income: Income;
  documents: ReportDocument[];
  /** When the documents were analysed last. */
  analysedAt: string | null;
  contradictions: ReportContradiction[];
  unchecked: Unchecked[];
}

/** What a person agreed to before data about them was read elsewhere. */
export interface ReportAgreement {
  what: 'kyc' | 'eid' | 'bank';
  at: string;
  /** The text that they saw. */
  text: string;
}

export interface ReportCheck {
  kind: 'kyc' | 'eid';
  status: string;
  provider: string;
  at: string | null;
}

export type ReportOutcome = 'tampered' | 'suspicious' | 'inconclusive' | 'no_finding' | 'not_analysed';

export interface ReportDocument {
  id: string;
  name: string;
  type: string | null;
  source: 'operator' | 'eid' | 'applicant' | 'bank';
  addedAt: string;
  outcome: ReportOutcome;
  /** Why it is inconclusive, and what to ask for. */
  reason: ReportWords | null;
  pages: number | null;
  findings: ReportFinding[];
  /** Findings beyond those listed. */
  more: number;
  /** Checks that could not be done. */
  skipped: number;
  pictures: ReportPicture[];
}

/** What a check found, in the language of the report. */
export interface ReportWords {
  message: string;
  /** What exactly the check saw, in its own words, which are English. */
  english?: string | undefined;
}

export interface ReportFinding extends ReportWords {
  /** Marks on the pictures show it. */
  number: number;
  title: string;
  strength: MarkStrength;
}

export type MarkStrength = 'strong' | 'medium' | 'context';

export interface ReportPicture {
  page: number;
  /** In the units of the marks. */
  width: number;
  height: number;
  marks: ReportMark[];
  /** A JPEG in base64; empty where the picture is kept beside what the report says. */
  jpeg: string;
}

export interface ReportMark {
  number: number;
  strength: MarkStrength;
  box: { x: number; y: number; width: number; height: number };
}

export interface ReportContradiction extends ReportWords {
  title: string;
  documents: string[];
  strength: MarkStrength;
}

export const uncheckedKinds = [
  'consent',
  'identity',
  'documents',
  'analysis',
  'inconclusive',
  'bank',
  'income',
] as const;
/** What was not checked about a person; what no report checks is said in every report. */
export type Unchecked = (typeof uncheckedKinds)[number];
