import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MailServer } from '../../harness/peers/mail-server.ts';
import type { OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { startEidWorld } from '../../harness/service/eid-world.ts';
import type { TestService } from '../../harness/service/service.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';
import { CONSOLE } from '../console/operators.ts';

type EidWorld = Awaited<ReturnType<typeof startEidWorld>>;

/** A service without workers, and the parties outside that it asks, each of which can refuse and fall silent. */
export interface World extends TestService {
  mail: MailServer;
  stripe: StripeStandIn;
  oidc: OidcProvider;
  eid: EidWorld;
  /** The settings of a command beside it. */
  settings: Record<string, string>;
}

/** Few enough to be reached, and more than the other situations need. */
export const DAILY_VERIFICATIONS = 4;

export async function startWorld(): Promise<World> {
  const [mail, stripe] = [await MailServer.startTrusted(), await StripeStandIn.start()];
  const eid = await startEidWorld({
    ...CONSOLE,
    ...mail.env,
    ...stripe.env,
    RUN_WORKERS: 'false',
    DATABASE_IDLE_SECONDS: '120',
    DAILY_VERIFICATIONS_PER_KEY: String(DAILY_VERIFICATIONS),
  });
  const authority = join(eid.test.folder, 'authority.pem');
  await writeFile(authority, mail.authority, { mode: 0o600 });
  return {
    ...eid.test,
    mail,
    stripe,
    oidc: eid.provider,
    eid,
    settings: { ...mail.env, ...stripe.env, ...eid.provider.env(), NODE_EXTRA_CA_CERTS: authority },
    stop: async () => {
      await eid.stop();
      await Promise.all([mail.stop(), stripe.stop()]);
    },
  };
}
