import { createProgram } from '../../bin/admin/program.ts';

/** The arguments of the commands. */
export interface Someone {
  clientId: string;
  /** An API key. */
  actorId: string;
  landlordId: string;
  tenantId: string;
  webhookId: string;
}

const STATES: Record<string, readonly string[]> = {
  delivery: ['pending', 'held', 'delivered', 'failed'],
  webhook: ['active', 'failing', 'paused'],
  invite: ['pending', 'sent', 'failed', 'cancelled'],
  key: ['active', 'expired', 'revoked'],
  kyc: ['pending', 'verified', 'failed'],
  eid: ['pending', 'succeeded', 'failed'],
  forensics: ['pending', 'completed', 'failed'],
};

/** What operators look at: every list, by each of its filters, and what sums up the service. */
export function operatorCommands(one: Someone, applicationId: string): string[][] {
  const lists = ['landlord', 'workspace', 'key', 'application', 'tenant', 'invite', 'kyc', 'eid', 'forensics'];
  const all = [...lists, 'webhook', 'delivery', 'event', 'audit'].map((noun) => [noun, 'list']);
  const byState = Object.entries(STATES).flatMap(([noun, states]) =>
    states.map((state) => [noun, 'list', '--status', state]),
  );
  const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
  return [
    ...all,
    ...byState,
    ['workspace', 'list', '--landlord', one.landlordId],
    ['property', 'list', '--landlord', one.landlordId],
    ['key', 'list', '--landlord', one.landlordId],
    ['application', 'list', '--landlord', one.landlordId],
    ['application', 'list', '--key', one.clientId],
    ['application', 'list', '--tenant', one.tenantId],
    ['document', 'list', one.tenantId],
    ['payment', 'list', '--application', applicationId],
    ['privacy', 'requests'],
    ['console-account', 'list'],
    ['webhook', 'list', '--client-id', one.clientId],
    ['delivery', 'list', '--webhook', one.webhookId],
    ['delivery', 'list', '--webhook', one.webhookId, '--status', 'failed'],
    ['delivery', 'list', '--tenant', one.tenantId],
    ['delivery', 'list', '--event', 'FORENSIC_ANALYSIS_DATA'],
    ['delivery', 'list', '--since', since],
    ['delivery', 'list', '--until', since],
    ['event', 'list', '--tenant', one.tenantId],
    ['event', 'list', '--event', 'FORENSIC_ANALYSIS_DATA'],
    ['audit', 'list', '--actor', one.actorId],
    ['audit', 'list', '--resource', one.tenantId],
    ['audit', 'list', '--action', 'webhook'],
    ['audit', 'list', '--action', 'application'],
    ['audit', 'list', '--since', new Date().toISOString()],
    ['db', 'status'],
    ['doctor'],
    ['work', 'set-aside'],
  ];
}

/** Runs a command in this process, where its statements can be observed. @returns its output */
export async function runCommand(args: readonly string[]): Promise<string> {
  const { write } = process.stdout;
  let printed = '';
  process.stdout.write = (text: string | Uint8Array) => {
    printed += text;
    return true;
  };
  try {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: 'user' });
    return printed;
  } finally {
    process.stdout.write = write;
    // A check with a finding.
    process.exitCode = undefined;
  }
}
