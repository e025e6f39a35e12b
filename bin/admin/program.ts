import { Command } from 'commander';

const DESCRIPTION = `Operates the Tenant Screening service on the database of DATABASE_URL and the files of DATA_DIR.
The service may be running beside it.`;

const EPILOGUE = `
From landlord to key:
  npm run --silent admin -- landlord create --name "Casa Clara"
  npm run --silent admin -- key create --landlord <landlord id> --name "Website"

Exit codes: 0 done, 1 not done, 2 not understood.
--silent keeps npm's own lines out of the output.`;

/** What there are commands for. */
interface Noun {
  name: string;
  alias?: string;
  description: string;
  /** What adds its commands. */
  load: () => Promise<(noun: Command) => void>;
}

const nouns: Noun[] = [
  {
    name: 'landlord',
    description: 'create or list landlords, who own workspaces and hold API keys',
    load: async () => (await import('./landlords.ts')).addLandlordCommands,
  },
  {
    name: 'key',
    description: 'create, list or revoke API keys, the credentials of an integration',
    load: async () => (await import('./api-keys.ts')).addApiKeyCommands,
  },
  {
    name: 'tenant',
    description: 'add or list tenants, the accounts of people who rent, or set a profile',
    load: async () => (await import('./tenants.ts')).addTenantCommands,
  },
  {
    name: 'document',
    description: 'add, list or extract documents of a tenant, or tidy up',
    load: async () => (await import('./documents.ts')).addDocumentCommands,
  },
  {
    name: 'property',
    description: 'import or list what a landlord lets',
    load: async () => (await import('./properties.ts')).addPropertyCommands,
  },
  {
    name: 'payment',
    description: 'record payments that wait for a participant',
    load: async () => (await import('./payments.ts')).addPaymentCommands,
  },
  {
    name: 'webhook',
    description: 'list, pause, resume or test the addresses that hear of events, or replace their secrets',
    load: async () => (await import('./webhooks.ts')).addWebhookCommands,
  },
  {
    name: 'delivery',
    description: 'list or explain deliveries of events to webhooks, or deliver again',
    load: async () => (await import('./deliveries.ts')).addDeliveryCommands,
  },
  {
    name: 'forensics',
    alias: 'forensic',
    description: 'look for signs of tampering in files, list or show analyses of tenants’ documents',
    load: async () => (await import('./forensics.ts')).addForensicsCommands,
  },
  {
    name: 'kyc',
    description: 'list identity verifications (KYC)',
    load: async () => (await import('./activity.ts')).addKycCommands,
  },
  {
    name: 'eid',
    description: 'list national eID flows',
    load: async () => (await import('./activity.ts')).addEidCommands,
  },
  {
    name: 'encryption',
    description: 'change the key that everything is sealed with',
    load: async () => (await import('./encryption.ts')).addEncryptionCommands,
  },
];

/**
 * The program with the commands of the nouns that were typed, which alone are loaded: the others are only described. Nothing is
 * opened before a command runs.
 */
export async function createProgram(typed: readonly string[]): Promise<Command> {
  const program = new Command('npm run admin --')
    .description(DESCRIPTION)
    .option('--json', 'print one JSON document and nothing else')
    .configureHelp({ showGlobalOptions: true })
    // Faults are printed in one place, bin/admin.ts.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', EPILOGUE);
  for (const { name, alias, description, load } of nouns) {
    const noun = program.command(name).description(description);
    if (alias !== undefined) noun.alias(alias);
    const addCommands = [name, alias].some((word) => word !== undefined && typed.includes(word))
      ? await load()
      : undefined;
    addCommands?.(noun);
  }
  return program;
}
