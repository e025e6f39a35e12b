import type { Command } from 'commander';
import { comparableEmail } from '../../../core/rules/participants.ts';
import { countParticipants, listApplications } from '../../../db/applications/application-lists.ts';
import { findTenantByIdOrEmail } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { namedApiKey, namedLandlord } from '../cli/named.ts';
import { list, shortMoment } from '../cli/output.ts';
import { example } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addIncomeCommand } from './income.ts';
import { applicationFields } from './named.ts';
import { addLinkPropertyCommand, addOnboardCommand } from './onboard.ts';
import { addConsentCommand, addTransferLeadCommand } from './participants.ts';
import { addPersonMailCommands } from './person-mails.ts';
import { addShowCommand } from './show.ts';

export function addApplicationCommands(application: Command): void {
  application
    .command('list')
    .description('list applications, newest first')
    .option('--landlord <id>', 'those of one landlord')
    .option('--key <client_id>', 'those that one API key created')
    .option('--tenant <tenant>', 'those in which a person takes part: the id of the tenant, or the address', parseText)
    .addOption(limitOption())
    .addHelpText('after', example('application list', 'application list --tenant marta.ruiz@mail.example'))
    .action(listAll);
  addShowCommand(application);
  addIncomeCommand(application);
  addConsentCommand(application);
  addTransferLeadCommand(application);
  addLinkPropertyCommand(application);
  addOnboardCommand(application);
  addPersonMailCommands(application);
}

interface ListOptions {
  landlord?: string;
  key?: string;
  tenant?: string;
  limit: number;
}

const listAll = withReads(async ({ reads: db, now }, { landlord, key, tenant, limit }: ListOptions) => {
  const filter = {
    landlordId: landlord === undefined ? undefined : (await namedLandlord(db, landlord)).id,
    clientId: key === undefined ? undefined : (await namedApiKey(db, key, now())).client_id,
    comparableEmail: tenant === undefined ? undefined : await addressOf(db, tenant),
  };
  const found = await listApplications(db, ALL_LANDLORDS, filter, limit + 1);
  const ids = found.map(({ id }) => id);
  const countOf = await countParticipants(db, ids);
  const rows = found.map((row) => {
    const pending = countOf(row.id, 'pending');
    const participants = pending + countOf(row.id, 'accepted') + countOf(row.id, 'declined');
    return { ...applicationFields(row), participants, pending };
  });
  return list(rows, {
    columns: ['application_id', 'title', 'lead_email', 'answered', 'updated_at'],
    cut: ['title', 'lead_email'],
    drop: ['lead_email', 'updated_at'],
    limit,
    empty: 'There are no such applications. Integrations create them with the API.',
    forPeople: (row) => ({
      ...row,
      answered: `${row.participants - row.pending} of ${row.participants}`,
      updated_at: shortMoment(row.updated_at, now()),
    }),
  });
});

/** Participants need not have an account. */
async function addressOf(db: Database, idOrEmail: string): Promise<string> {
  const tenant = await findTenantByIdOrEmail(db, idOrEmail);
  return tenant?.comparable_email ?? comparableEmail(idOrEmail);
}
