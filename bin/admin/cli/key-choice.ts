import { Option } from 'commander';
import type { TenantOfKey } from '../../../core/rules/tenant-of-key.ts';
import { listKeysOfTenant, type TenantRow } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/database.ts';
import { OperatorError } from './faults.ts';
import { commandLine } from './run-command.ts';

/** The API key for which a command acts on a tenant. */
export interface KeyChoice {
  application?: string;
  apiKey?: string;
}

export function applicationOption(): Option {
  return new Option('--application <application>', 'for the API key of this application').conflicts('apiKey');
}

export function apiKeyOption(): Option {
  return new Option('--api-key <client id>', 'for this API key; needed when several have the tenant');
}

/** The chosen key, or the only one that may address the tenant. @throws OperatorError */
export async function namedKeyOf(
  db: Database,
  { id, email }: TenantRow,
  { application, apiKey }: KeyChoice,
): Promise<TenantOfKey> {
  const keys = await listKeysOfTenant(db, id);
  const chosen = keys.filter(
    (key) => (!application || key.application_id === application) && (!apiKey || key.client_id === apiKey),
  );
  const [first] = chosen;
  const see = `see ${commandLine(`tenant show ${email}`)}`;
  if (!first)
    throw new OperatorError(
      `no ${application || apiKey ? 'such ' : ''}application has ${email} as a participant who has not declined; ${see}`,
    );
  if (chosen.some((key) => key.id !== first.id))
    throw new OperatorError(`several API keys have ${email}: give --application or --api-key; ${see}`);
  return { tenant_id: id, api_key_id: first.id };
}
