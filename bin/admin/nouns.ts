import type { Command } from 'commander';

/** The headings of the help. */
type Group = 'Landlords and their systems:' | 'Applicants:' | 'Checks:' | 'Events:' | 'The service:';

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
    description: 'create, list, rename, brand or set up landlords, who own workspaces and API keys',
    load: async () => (await import('./access/landlords.ts')).addLandlordCommands,
  },
  {
    name: 'workspace',
    group: 'Landlords and their systems:',
    description: 'create, list or rename workspaces, which hold a landlord’s properties',
    load: async () => (await import('./property/workspaces.ts')).addWorkspaceCommands,
  },
  {
    name: 'key',
    group: 'Landlords and their systems:',
    description: 'create, rotate, expire or revoke API keys, the credentials of an integration',
    load: async () => (await import('./access/keys.ts')).addApiKeyCommands,
  },
  {
    name: 'member',
    group: 'Landlords and their systems:',
    description: 'invite, list or disable members, the people of a landlord who use its desk',
    load: async () => (await import('./access/members.ts')).addMemberCommands,
  },
  {
    name: 'application',
    group: 'Applicants:',
    description:
      'list or show applications and their income, record consent, transfer the lead, link property, onboard',
    load: async () => (await import('./application/applications.ts')).addApplicationCommands,
  },
  {
    name: 'tenant',
    group: 'Applicants:',
    description: 'add, list or show tenants, the accounts of people who rent, or set a profile',
    load: async () => (await import('./tenant/tenants.ts')).addTenantCommands,
  },
  {
    name: 'document',
    group: 'Applicants:',
    description: 'add, list or extract a tenant’s documents, or tidy up',
    load: async () => (await import('./tenant/documents.ts')).addDocumentCommands,
  },
  {
    name: 'property',
    group: 'Landlords and their systems:',
    description: 'import or list the properties of a landlord',
    load: async () => (await import('./property/properties.ts')).addPropertyCommands,
  },
  {
    name: 'invite',
    group: 'Applicants:',
    description: 'list or show the invitations of participants, or send one again',
    load: async () => (await import('./application/invites.ts')).addInviteCommands,
  },
  {
    name: 'payment',
    group: 'Applicants:',
    description: 'record, end or list the payments of participants',
    load: async () => (await import('./application/payments.ts')).addPaymentCommands,
  },
  {
    name: 'event',
    group: 'Events:',
    description: 'list or show events, and which webhooks received them',
    load: async () => (await import('./webhook/events.ts')).addEventCommands,
  },
  {
    name: 'webhook',
    group: 'Events:',
    description: 'create, list, test, pause or delete webhooks, the addresses that receive events',
    load: async () => (await import('./webhook/webhooks.ts')).addWebhookCommands,
  },
  {
    name: 'delivery',
    group: 'Events:',
    description: 'list, explain or repeat deliveries of events to webhooks',
    load: async () => (await import('./webhook/deliveries.ts')).addDeliveryCommands,
  },
  {
    name: 'forensics',
    alias: 'forensic',
    group: 'Checks:',
    description: 'look for signs of tampering in documents, or show findings',
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
    name: 'bank',
    group: 'Checks:',
    description: 'list bank connections',
    load: async () => (await import('./verification/flows.ts')).addBankCommands,
  },
  {
    name: 'report',
    group: 'Applicants:',
    description: 'make, list, share or revoke reports about applications',
    load: async () => (await import('./report/reports.ts')).addReportCommands,
  },
  {
    name: 'doctor',
    group: 'The service:',
    description: 'check everything that can go wrong, and say what to do',
    load: async () => (await import('./doctor/doctor.ts')).makeDoctorCommand,
  },
  {
    name: 'work',
    group: 'The service:',
    description: 'list work that kills its worker and was set aside, or release it',
    load: async () => (await import('./work/work.ts')).addWorkCommands,
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
    description: 'list, verify or export the audit log: who did what to which resource',
    load: async () => (await import('./upkeep/audit.ts')).addAuditCommands,
  },
  {
    name: 'mail',
    group: 'The service:',
    description: 'send a test mail, or read the sandbox’s mails to operators',
    load: async () => (await import('./verification/mail.ts')).addMailCommands,
  },
  {
    name: 'privacy',
    group: 'Applicants:',
    description: 'export or erase a person’s data, or purge expired data',
    load: async () => (await import('./privacy/privacy.ts')).addPrivacyCommands,
  },
  {
    name: 'encryption',
    group: 'The service:',
    description: 'rotate the encryption key',
    load: async () => (await import('./upkeep/encryption.ts')).addEncryptionCommands,
  },
  {
    name: 'console-account',
    group: 'The service:',
    description: 'create, list or disable console accounts, or create a sign-in link',
    load: async () => (await import('./console/accounts.ts')).addConsoleAccountCommands,
  },
  {
    name: 'completion',
    group: 'The service:',
    description: 'print a completion script for a shell',
    load: async () => (await import('./cli/completion.ts')).makeCompletionCommand,
  },
];
