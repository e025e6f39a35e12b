import { startService } from '../../bin/service/service.ts';
import { readConfig } from '../../core/settings/config.ts';
import { readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { createAccount, newSignInLink } from '../../jobs/console/accounts.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const BY = { kind: 'operator', id: 'the bench' } as const;

/** An operator who reads the console of a service in this process. */
export interface Viewer {
  /** The parts of the service. */
  runtime: Runtime;
  /** @param path below `/console` */
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

export async function signIn(settings: Record<string, string>): Promise<Viewer> {
  const env = { ...settings, PORT: '0', OPS_PORT: '0', CONSOLE: 'true', RUN_WORKERS: 'false', LOG_LEVEL: 'silent' };
  const { runtime, operatorsUrl = '', close } = await startService(readConfig(env));
  const account = await createAccount(runtime, { name: `bench-${Date.now()}`, role: 'viewer', mail_address: null }, BY);
  if (!account) throw new Error('The account was not made.');
  const link = `${operatorsUrl}${(await newSignInLink(runtime, account, BY)).path}`;
  const browser = new WebBrowser();
  const csrf = readable(/name="csrf" value="([^"]+)"/.exec((await browser.open(link)).text)?.[1] ?? '');
  await browser.open(link, { csrf });
  return {
    runtime,
    open: async (path) => {
      const { status } = await browser.open(`${operatorsUrl}/console${path}`);
      if (status !== 200) throw new Error(`The console answered ${path} with ${status}.`);
    },
    close,
  };
}
