import type { AnalysedDocument, Analysis } from '@tenant-screening/forensics/analysis';
import { crossFindings, numberedFindings } from '@tenant-screening/forensics/report/sections';
import type { Check, CheckFinding } from '@tenant-screening/forensics/result';
import { NotFound } from '../../core/errors.ts';
import type {
  ReportAgreement,
  ReportCheck,
  ReportContent,
  ReportContradiction,
  ReportDocument,
  ReportPerson,
  Unchecked,
} from '../../core/reports/content.ts';
import { writeRentRule } from '../../core/rules/affordability.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Language } from '../../core/texts/languages.ts';
import { type ReportTexts, reportTextsOf } from '../../core/texts/report-texts.ts';
import { brandOf, findLandlordBrand, findLogo } from '../../db/access/landlord-brands.ts';
import {
  findListedApplication,
  type ListedParticipant,
  listParticipants,
} from '../../db/applications/application-lists.ts';
import { findLinkedAddress } from '../../db/applications/linked-property.ts';
import { listBankConnections } from '../../db/banking/bank-connections.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { type DocumentRow, findDocuments } from '../../db/documents/documents.ts';
import { findForensicRun, findLatestClaims } from '../../db/documents/forensic-runs.ts';
import { listFlowsOfKey } from '../../db/identity/flows.ts';
import { findApplicationIncome, type MemberIncome } from '../banking/application-income.ts';
import { findingWords, inconclusiveWords } from '../documents/finding-words.ts';
import { findStoredAnalysis } from '../documents/stored-analysis.ts';
import type { Runtime } from '../runtime.ts';

export type Gathering = Pick<Runtime, 'db' | 'keys' | 'now'>;

/** A document of a report, and what draws its pictures. */
export interface Drawable {
  document: ReportDocument;
  row: DocumentRow;
  analysed: AnalysedDocument | undefined;
}

export interface Gathered {
  content: ReportContent;
  /** A list for each person. */
  drawables: Drawable[][];
}

const MAX_FINDINGS = 12;
const MAX_CONTRADICTIONS = 20;
const MAX_AGREEMENT_LENGTH = 1_500;

/** What the service knows about an application for its API key, without pictures. @throws NotFound */
export async function gatherReport(runtime: Gathering, applicationId: string, language: Language): Promise<Gathered> {
  const { db, now } = runtime;
  const application = await findListedApplication(db, ALL_LANDLORDS, applicationId);
  if (!application) throw new NotFound('Application');
  const brandRow = await findLandlordBrand(db, application.landlord_id);
  const brand = brandRow && brandOf(brandRow);
  const png = brand?.logo ? await findLogo(db, brand.logo.digest) : undefined;
  const income = await findApplicationIncome(runtime, applicationId);
  const participants = await listParticipants(db, applicationId);
  const t = reportTextsOf(language);
  const people: ReportPerson[] = [];
  const drawables: Drawable[][] = [];
  for (const participant of participants.filter(({ removed_at }) => removed_at === null)) {
    const member = income.members.find(({ email }) => email === participant.email);
    // Who declined is left out, as they are in the income.
    if (!member) continue;
    const gathered = await gatherPerson(runtime, t, participant, member, application.api_key_id);
    people.push(gathered.person);
    drawables.push(gathered.drawables);
  }
  const content: ReportContent = {
    language,
    madeAt: now().toISOString(),
    landlord: application.landlord_name,
    colour: brand?.colour ?? null,
    logo:
      brand?.logo && png ? { png: png.toString('base64'), width: brand.logo.width, height: brand.logo.height } : null,
    application: { id: application.id, title: application.title, createdAt: application.created_at },
    property: (await findLinkedAddress(db, applicationId)) ?? null,
    rentCents: income.rentCents ?? null,
    incomeCents: income.incomeCents ?? null,
    sharePercent: income.sharePercent ?? null,
    rule: income.rule ? writeRentRule(income.rule) : null,
    isMet: income.isMet ?? null,
    guarantorCents: income.guarantorCents ?? null,
    people,
  };
  return { content, drawables };
}

async function gatherPerson(
  runtime: Gathering,
  t: ReportTexts,
  participant: ListedParticipant,
  { income }: MemberIncome,
  apiKeyId: string,
): Promise<{ person: ReportPerson; drawables: Drawable[] }> {
  const { tenant_id, name, email, consent_status } = participant;
  const of = tenant_id === null ? undefined : { tenant_id, api_key_id: apiKeyId };
  const { checks, agreements, hasBank } = of ? await gatherChecks(runtime, of) : NOTHING;
  const { drawables, analysedAt, contradictions } = of ? await gatherDocuments(runtime, t, of) : NO_DOCUMENTS;
  const documents = drawables.map(({ document }) => document);
  const person: ReportPerson = {
    ...{ name, email, consent: consent_status, income, agreements, checks, documents, analysedAt, contradictions },
    isLead: participant.is_lead === 1,
    isGuarantor: participant.is_guarantor === 1,
    unchecked: uncheckedOf({
      consent: consent_status,
      checks,
      documents,
      hasBank,
      isIncomeKnown: income.monthlyCents !== undefined,
    }),
  };
  return { person, drawables };
}

const NOTHING = { checks: [], agreements: [], hasBank: false };
const NO_DOCUMENTS = { drawables: [], analysedAt: null, contradictions: [] };

/** A success counts, whatever came after it; else the newest. */
async function gatherChecks({ db }: Gathering, of: TenantOfKey) {
  const checks: ReportCheck[] = [];
  const agreements: ReportAgreement[] = [];
  for (const kind of ['kyc', 'eid'] as const) {
    const flows = await listFlowsOfKey(db, kind, of);
    const flow = flows.find(({ status }) => status === 'verified' || status === 'succeeded') ?? flows[0];
    if (!flow) continue;
    const { status, provider, finished_at, agreed_at, agreed_to } = flow;
    checks.push({ kind, status, provider, at: finished_at });
    if (agreed_at !== null && agreed_to !== null) agreements.push(agreement(kind, agreed_at, agreed_to));
  }
  const banks = (await listBankConnections(db, of)).filter(({ status }) => status === 'handed');
  for (const { agreed_at, agreed_to } of banks) agreements.push(agreement('bank', agreed_at, agreed_to));
  return { checks, agreements, hasBank: banks.length > 0 };
}

function agreement(what: ReportAgreement['what'], at: string, text: string): ReportAgreement {
  const shown = text.length > MAX_AGREEMENT_LENGTH ? `${text.slice(0, MAX_AGREEMENT_LENGTH)}…` : text;
  return { what, at, text: shown.replaceAll(/\s+/g, ' ') };
}

async function gatherDocuments(runtime: Gathering, t: ReportTexts, of: TenantOfKey) {
  const rows = await findDocuments(runtime.db, of);
  const { analysis, at } = await latestAnalysis(runtime, of);
  const drawables = rows.map((row): Drawable => {
    const analysed = analysis?.documents.find(({ document_id }) => document_id === row.id);
    return { row, analysed, document: documentOf(t, row, analysed) };
  });
  return { drawables, analysedAt: at, contradictions: analysis ? contradictionsIn(t, analysis) : [] };
}

/** A result that no key opens, or that a simulation made, says nothing. */
async function latestAnalysis(runtime: Gathering, of: TenantOfKey) {
  const latest = await findLatestClaims(runtime.db, of);
  const run = latest && (await findForensicRun(runtime.db, ALL_LANDLORDS, latest.id));
  const found = run && (await findStoredAnalysis(runtime, run));
  return { analysis: found?.analysis, at: found ? run.finished_at : null };
}

function documentOf(t: ReportTexts, row: DocumentRow, analysed: AnalysedDocument | undefined): ReportDocument {
  const found = analysed ? numberedFindings(analysed).filter(({ finding }) => finding.strength !== 'context') : [];
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    source: row.source,
    addedAt: row.created_at,
    outcome: analysed?.outcome ?? 'not_analysed',
    reason:
      analysed?.outcome === 'inconclusive'
        ? { message: inconclusiveWords(t, analysed), english: analysed.reason }
        : null,
    pages: analysed?.facts.pages ?? null,
    findings: found.slice(0, MAX_FINDINGS).map(({ number, check, finding }) => ({
      ...{ number, strength: finding.strength },
      ...wordsOf(t, check, finding),
    })),
    more: Math.max(0, found.length - MAX_FINDINGS),
    skipped: analysed?.checks.filter(({ status }) => status === 'unreadable' || status === 'error').length ?? 0,
    pictures: [],
  };
}

function wordsOf(t: ReportTexts, check: Check, finding: CheckFinding) {
  const { title, text } = findingWords(t, check, finding);
  return { title, message: text, english: finding.message };
}

function contradictionsIn(t: ReportTexts, { cross_checks }: Analysis): ReportContradiction[] {
  return crossFindings(cross_checks)
    .filter(({ finding }) => finding.strength !== 'context')
    .slice(0, MAX_CONTRADICTIONS)
    .map(({ check, finding }) => ({
      ...wordsOf(t, check, finding),
      strength: finding.strength,
      documents: [...new Set(finding.evidence.flatMap(({ document }) => document ?? []))],
    }));
}

interface Known {
  consent: ReportPerson['consent'];
  checks: readonly ReportCheck[];
  documents: readonly ReportDocument[];
  hasBank: boolean;
  isIncomeKnown: boolean;
}

function uncheckedOf({ consent, checks, documents, hasBank, isIncomeKnown }: Known): Unchecked[] {
  const isVerified = checks.some(({ status }) => status === 'verified' || status === 'succeeded');
  const has = (outcome: ReportDocument['outcome']) => documents.some((document) => document.outcome === outcome);
  const open: [Unchecked, boolean][] = [
    ['consent', consent !== 'accepted'],
    ['identity', !isVerified],
    ['documents', documents.length === 0],
    ['analysis', has('not_analysed')],
    ['inconclusive', has('inconclusive')],
    ['bank', !hasBank],
    ['income', !isIncomeKnown],
  ];
  return open.flatMap(([kind, isOpen]) => (isOpen ? [kind] : []));
}
