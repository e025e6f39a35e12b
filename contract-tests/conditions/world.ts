import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailServer } from '../../harness/peers/mail-server.ts';
import type { OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { VirusScanner } from '../../harness/peers/virus-scanner.ts';
import { BankApiStandIn } from '../../harness/service/bank-api.ts';
import { startEidWorld } from '../../harness/service/eid-world.ts';
import type { TestService } from '../../harness/service/service.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';
import { CONSOLE } from '../console/operators.ts';

type EidWorld = Awaited<ReturnType<typeof startEidWorld>>;

/** A service without workers, and the parties outside that it asks, each of which can refuse and fall silent. */
export interface World extends TestService {
  mail: MailServer;
  scanner: VirusScanner;
  stripe: StripeStandIn;
  oidc: OidcProvider;
  bank: BankApiStandIn;
  eid: EidWorld;
  /** The settings of a command beside it. */
  settings: Record<string, string>;
}

/** Few enough to be reached, and more than the other situations need. */
export const DAILY_VERIFICATIONS = 4;

export async function startWorld(): Promise<World> {
  const [mail, stripe] = [await MailServer.startTrusted(), await StripeStandIn.start()];
  const scanner = await VirusScanner.start();
  const [bank, keys] = [await BankApiStandIn.start(), await mkdtemp(join(tmpdir(), 'screening-conditions-'))];
  const [bankKey, authority] = [join(keys, 'bank.pem'), join(keys, 'authority.pem')];
  await writeFile(bankKey, bank.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(authority, mail.authority, { mode: 0o600 });
  const eid = await startEidWorld({
    ...CONSOLE,
    ...mail.env,
    ...scanner.env,
    ...stripe.env,
    ...bank.env(bankKey),
    RUN_WORKERS: 'false',
    DATABASE_IDLE_SECONDS: '120',
    DAILY_VERIFICATIONS_PER_KEY: String(DAILY_VERIFICATIONS),
  });
  return {
    ...eid.test,
    mail,
    scanner,
    stripe,
    oidc: eid.provider,
    bank,
    eid,
    settings: {
      ...{ ...mail.env, ...scanner.env, ...stripe.env, ...eid.provider.env(), ...bank.env(bankKey) },
      NODE_EXTRA_CA_CERTS: authority,
    },
    stop: async () => {
      await eid.stop();
      await Promise.all([mail.stop(), scanner.stop(), stripe.stop(), bank.stop()]);
      await rm(keys, { recursive: true });
    },
  };
}
