import { Command } from 'commander';
import { isEntry, typed as line, programName } from './cli/run-command.ts';

const DESCRIPTION =
  'Operates the Tenant Screening service on the database of DATABASE_URL and the files of DATA_DIR. The service may be running beside it.';

const epilogue = () => `
From landlord to key:
  ${line('landlord create --name "Casa Clara"')}
  ${line('key create --landlord <landlord id> --name "Website"')}

Is everything well?
  ${line('doctor')}

Exit codes: 0 done, 1 not done, 2 not understood.${isEntry() ? '' : "\n--silent keeps npm's own lines out of the output."}`;

/** Under which headings the help shows them. */
type Group = 'Landlords and their systems:' | 'People who apply:' | 'Checks:' | 'Events:' | 'The service:';

/** What there are commands for. */
interface Noun {
  name: string;
  alias?: string;
  group: Group;
  description: string;
  /** What adds its commands. */
  load: () => Promise<(noun: Command) => void>;
}

const nouns: Noun[] = [
  {
    name: 'landlord',
    group: 'Landlords and their systems:',
    description: 'create, list or rename landlords, who own workspaces and hold API keys',
    load: async () => (await import('./access/landlords.ts')).addLandlordCommands,
  },
  {
    name: 'workspace',
    group: 'Landlords and their systems:',
    description: 'create, list or rename workspaces, which hold what a landlord lets',
    load: async () => (await import('./property/workspaces.ts')).addWorkspaceCommands,
  },
  {
    name: 'key',
    group: 'Landlords and their systems:',
    description: 'API keys, the credentials of an integration: create, rotate, expire, revoke',
    load: async () => (await import('./access/keys.ts')).addApiKeyCommands,
  },
  {
    name: 'application',
    group: 'People who apply:',
    description: 'list or show applications, note consent, transfer the lead, link property, onboard',
    load: async () => (await import('./application/applications.ts')).addApplicationCommands,
  },
  {
    name: 'tenant',
    group: 'People who apply:',
    description: 'add, list or show tenants, the accounts of people who rent, or set a profile',
    load: async () => (await import('./tenant/tenants.ts')).addTenantCommands,
  },
  {
    name: 'document',
    group: 'People who apply:',
    description: 'add, list or extract documents of a tenant, or tidy up',
    load: async () => (await import('./tenant/documents.ts')).addDocumentCommands,
  },
  {
    name: 'property',
    group: 'Landlords and their systems:',
    description: 'import or list what a landlord lets',
    load: async () => (await import('./property/properties.ts')).addPropertyCommands,
  },
  {
    name: 'invite',
    group: 'People who apply:',
    description: 'list or show the invitations of participants, or send one again',
    load: async () => (await import('./application/invites.ts')).addInviteCommands,
  },
  {
    name: 'payment',
    group: 'People who apply:',
    description: 'record or list payments that wait for a participant',
    load: async () => (await import('./application/payments.ts')).addPaymentCommands,
  },
  {
    name: 'event',
    group: 'Events:',
    description: 'list or show events: what was told, and to which webhooks',
    load: async () => (await import('./webhook/events.ts')).addEventCommands,
  },
  {
    name: 'webhook',
    group: 'Events:',
    description: 'the addresses that hear of events: create, list, test, pause, delete',
    load: async () => (await import('./webhook/webhooks.ts')).addWebhookCommands,
  },
  {
    name: 'delivery',
    group: 'Events:',
    description: 'list or explain deliveries of events to webhooks, or deliver again',
    load: async () => (await import('./webhook/deliveries.ts')).addDeliveryCommands,
  },
  {
    name: 'forensics',
    alias: 'forensic',
    group: 'Checks:',
    description: 'look for signs of tampering in documents, or at what was found',
    load: async () => (await import('./forensics/forensics.ts')).addForensicsCommands,
  },
  {
    name: 'kyc',
    group: 'Checks:',
    description: 'list identity verifications (KYC), or end one',
    load: async () => (await import('./verification/activity.ts')).addKycCommands,
  },
  {
    name: 'eid',
    group: 'Checks:',
    description: 'list national eID flows, or end one',
    load: async () => (await import('./verification/activity.ts')).addEidCommands,
  },
  {
    name: 'doctor',
    group: 'The service:',
    description: 'look at everything that can be wrong, and say what to do',
    load: async () => (await import('./doctor/doctor.ts')).makeDoctorCommand,
  },
  {
    name: 'db',
    group: 'The service:',
    description: 'show or migrate the database, back it up or restore it',
    load: async () => (await import('./upkeep/database.ts')).addDatabaseCommands,
  },
  {
    name: 'audit',
    group: 'The service:',
    description: 'who did what to which resource: list, verify or export the log of it',
    load: async () => (await import('./upkeep/audit.ts')).addAuditCommands,
  },
  {
    name: 'mail',
    group: 'The service:',
    description: 'send a test mail',
    load: async () => (await import('./verification/mail.ts')).addMailCommands,
  },
  {
    name: 'privacy',
    group: 'People who apply:',
    description: 'export or erase what is held about a person, or forget what is old',
    load: async () => (await import('./privacy/privacy.ts')).addPrivacyCommands,
  },
  {
    name: 'encryption',
    group: 'The service:',
    description: 'change the key that everything is sealed with',
    load: async () => (await import('./upkeep/encryption.ts')).addEncryptionCommands,
  },
  {
    name: 'completion',
    group: 'The service:',
    description: 'print what makes a shell complete these commands',
    load: async () => {
      const { makeCompletionCommand } = await import('./cli/completion.ts');
      return (noun) => makeCompletionCommand(noun, createWholeProgram);
    },
  },
];

/**
 * The program with the commands of the nouns that were typed, which alone are loaded: the others are only described. Nothing is
 * opened before a command runs.
 */
export async function createProgram(typed: readonly string[]): Promise<Command> {
  const program = new Command(programName())
    .description(DESCRIPTION)
    .option('--json', 'print one JSON document and nothing else')
    .configureHelp({ showGlobalOptions: true })
    // Faults are printed in one place, bin/admin.ts.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', epilogue());
  for (const { name, alias, group, description, load } of nouns) {
    const noun = program.command(name).description(description).helpGroup(group);
    if (alias !== undefined) noun.alias(alias);
    const addCommands = [name, alias].some((word) => word !== undefined && typed.includes(word))
      ? await load()
      : undefined;
    addCommands?.(noun);
  }
  return program.commandsGroup('The service:').helpCommand('help [command]', 'show how a command is used');
}

/** With the commands of every noun. */
export function createWholeProgram(): Promise<Command> {
  return createProgram(nouns.map(({ name }) => name));
}
