import { type Affordability, affordability, type RentRule, readRentRule } from '../../core/rules/affordability.ts';
import { type IncomeDocument, incomeOf } from '../../core/rules/income.ts';
import type { IncomePaper } from '../../core/rules/income-papers.ts';
import type { Income } from '../../core/rules/income-types.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { ifOpened, unsealJson } from '../../core/secrets/secrets.ts';
import { isRecord } from '../../core/text.ts';
import { findWishesOfKey } from '../../db/access/landlord-settings.ts';
import { listParticipants } from '../../db/applications/application-lists.ts';
import { findRent } from '../../db/applications/linked-property.ts';
import { listBankConnections } from '../../db/banking/bank-connections.ts';
import type { Database } from '../../db/connection/database.ts';
import { type DocumentRow, findDocuments } from '../../db/documents/documents.ts';
import { findLatestClaims } from '../../db/documents/forensic-runs.ts';
import type { Runtime } from '../runtime.ts';
import { openStatement } from './memory.ts';

/** The income of one person who applies. */
export interface MemberIncome {
  email: string;
  name: string;
  isLead: boolean;
  isGuarantor: boolean;
  tenantId: string | null;
  income: Income;
}

export interface ApplicationIncome extends Affordability {
  members: MemberIncome[];
  /** The rent of the linked property, in cents. */
  rentCents: number | undefined;
  rule: RentRule | undefined;
}

type Reading = Pick<Runtime, 'db' | 'keys'>;

/** The income of everyone in an application against the rent, by the landlord's rule, for the application's API key. It decides nothing. */
export async function findApplicationIncome(runtime: Reading, applicationId: string): Promise<ApplicationIncome> {
  const { db } = runtime;
  const { apiKeyId, rentCents } = await findRent(db, applicationId);
  const active = (await listParticipants(db, applicationId)).filter(
    ({ removed_at, consent_status }) => removed_at === null && consent_status !== 'rejected',
  );
  const members: MemberIncome[] = [];
  for (const { email, name, is_lead, is_guarantor, tenant_id } of active) {
    const of = tenant_id === null ? undefined : { tenant_id, api_key_id: apiKeyId };
    const income = await personIncome(runtime, name, of);
    const roles = { isLead: is_lead === 1, isGuarantor: is_guarantor === 1 };
    members.push({ email, name, ...roles, tenantId: tenant_id, income });
  }
  const { rent_rule } = await findWishesOfKey(db, apiKeyId);
  const rule = readRentRule(rent_rule ?? '');
  return { members, rentCents, rule, ...affordability(members, rentCents, rule) };
}

async function personIncome(runtime: Reading, name: string, of: TenantOfKey | undefined): Promise<Income> {
  if (!of) return incomeOf({ name, statements: [], documents: [], papers: [] });
  const { db } = runtime;
  const connections = await listBankConnections(db, of);
  const handed = connections.filter(({ status }) => status === 'handed');
  const statements = handed.flatMap((row) => ifOpened(() => openStatement(row, runtime)) ?? []);
  const { documents, papers } = await readDocuments(db, runtime, of);
  return incomeOf({ name, statements, documents, papers });
}

/** A document that was not analysed yet, or whose result no key opens, says nothing. */
async function readDocuments(db: Database, runtime: Reading, of: TenantOfKey) {
  const rows = await findDocuments(db, of);
  const latest = await findLatestClaims(db, of);
  const outcomes = outcomesIn(latest && opened(latest.result, runtime));
  const papers: IncomePaper[] = latest?.sealed_claims ? (opened(latest.sealed_claims, runtime) ?? []) : [];
  const documents = rows.map(
    ({ id, name, source }: DocumentRow): IncomeDocument => ({
      document_id: id,
      name,
      outcome: outcomes.get(id),
      isFromBank: source === 'bank',
    }),
  );
  return { documents, papers };
}

/** Undefined when no key opens it. */
function opened(sealed: string, { keys }: Reading) {
  return ifOpened(() => JSON.parse(unsealJson(sealed, keys.encryption)));
}

const OUTCOMES = ['tampered', 'suspicious', 'inconclusive', 'no_finding'] as const;

function outcomesIn(result: unknown): Map<string, IncomeDocument['outcome']> {
  const documents = isRecord(result) && Array.isArray(result['documents']) ? result['documents'] : [];
  const pairs = documents.flatMap((one): [string, IncomeDocument['outcome']][] => {
    const outcome = isRecord(one) ? OUTCOMES.find((known) => known === one['outcome']) : undefined;
    return isRecord(one) && typeof one['document_id'] === 'string' ? [[one['document_id'], outcome]] : [];
  });
  return new Map(pairs);
}
