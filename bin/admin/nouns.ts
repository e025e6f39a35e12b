import type { Command } from 'commander';

/** The headings of the help. */
type Group = 'Landlords and their systems:' | 'People who apply:' | 'Checks:' | 'Events:' | 'The service:';

/** A noun that has commands. */
interface Noun {
  name: string;
  alias?: string;
  group: Group;
  description: string;
  /** Imports the function that adds its commands. */
  load: () => Promise<(noun: Command, createWholeProgram: () => Promise<Command>) => void>;
}

export const nouns: Noun[] = [
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
    load: async () => (await import('./verification/flows.ts')).addKycCommands,
  },
  {
    name: 'eid',
    group: 'Checks:',
    description: 'list national eID flows, or end one',
    load: async () => (await import('./verification/flows.ts')).addEidCommands,
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
    load: async () => (await import('./cli/completion.ts')).makeCompletionCommand,
  },
];
