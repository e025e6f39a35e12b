import { newId } from '../../core/ids.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import type { ContractOperation } from '../contract/contract.ts';
import type { TestService } from './service.ts';

/** The fixtures of one transaction, by the contract's parameter names. */
export interface Stage {
  applicationId: string;
  /** The invited participant. */
  email: string;
  lead: string;
  tenantId: string;
  workspace_id: string;
  property_id: string;
}

/** Sets a separate stage for each transaction, so that none depends on what an earlier one left behind. */
export async function setStage(test: TestService, name: string = newId()): Promise<Stage> {
  const [lead, email] = [`lead-${name}+kyc-verified@mail.example`, `guest-${name}@mail.example`];
  const tenants = [
    { email: lead, is_lead: true },
    { email, is_lead: false },
  ];
  const { data } = await test.alice.ok('createApplication', { body: { title: 'Contract check', tenants } });
  const tenant = await test.tenant(lead, { documents: 1 });
  return { applicationId: data.application_id, email, lead, tenantId: tenant.id, ...(await addFlat(test)) };
}

/** Two workspaces, one of which holds a property with every field, as in the contract's examples. */
export function addFlat({ service, landlords }: TestService) {
  const now = new Date();
  return inTransaction(service.runtime.db, async (trx) => {
    const workspace = await addWorkspace(trx, landlords.ours, 'Madrid centre', now);
    await addWorkspace(trx, landlords.ours, 'Valencia coast', now);
    const { property_id } = await addProperty(trx, workspace, flat);
    return { workspace_id: workspace.workspace_id, property_id };
  });
}

const flat = {
  property_reference: 'MAD-ALC-42-3B',
  rent_amount: 1450.5,
  street: 'Calle de Alcalá',
  street_number: 42,
  entrance_stairwell: 'A',
  floor: 3,
  letter: 'B',
  postal_code: '28014',
  municipality: 'Madrid',
  province: 'Madrid',
  bedrooms: 2,
  bathrooms: 1,
};

/** The part of a request that decides its answer. */
export interface Asked {
  /** Below the base path, with its query. */
  path: string;
  /** Replaces the contract's first example as the body. */
  body?: unknown;
}

const person = (number: number) => ({ email: `person-${number}@mail.example`, is_lead: number === 1 });

/** Bodies that break a rule. An operation without a body gets a malformed path instead. */
const invalidBodies: Record<string, unknown> = {
  createApplication: { title: 'Six people', tenants: [1, 2, 3, 4, 5, 6].map(person) },
  updateParticipant: { email: 'somebody.else@mail.example' },
  initiateEid: {},
  createWebhook: {},
};

/** The request that must be answered with the status. The causes of 401 and 500 are not in the path or the body. */
export function requestFor({ operationId, template }: ContractOperation, status: number, stage: Stage): Asked {
  const values: Record<string, string> = { ...stage };
  if (status === 404) for (const name of ['applicationId', 'tenantId', 'property_id']) values[name] = 'absent';
  if (status === 409) values['email'] = stage.lead;
  const body = invalidBodies[operationId];
  const query = operationId === 'getProperty' && status !== 400 ? `?workspace_id=${stage.workspace_id}` : '';
  const malformed = status === 400 && body === undefined && operationId !== 'getProperty';
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => (malformed ? '%zz' : (values[name] ?? '')));
  return status === 400 && body !== undefined ? { path, body } : { path: `${path}${query}` };
}
