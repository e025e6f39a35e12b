import { expect } from 'chai';
import type { Service } from '../../bin/service/service.ts';
import type { ConsoleRole } from '../../db/access/console-accounts.ts';
import { csrfIn, WebBrowser } from '../../harness/browser/web-browser.ts';
import { createAccount, newSignInLink } from '../../jobs/console/accounts.ts';

export const CONSOLE = { OPS_PORT: '0', CONSOLE: 'true' };

/** A service with the console. */
interface Operated {
  service: Pick<Service, 'runtime' | 'operatorsUrl'>;
}

const BY = { kind: 'operator', id: 'the test' } as const;
let made = 0;

/** The address of the console, without a trailing slash. */
export function consoleUrl({ service }: Operated): string {
  return `${service.operatorsUrl ?? expect.fail('no listener for operators')}/console`;
}

/** Creates an account. @returns its name and its first sign-in link */
export async function addOperator(test: Operated, role: ConsoleRole, mail: string | null = null) {
  const { runtime, operatorsUrl } = test.service;
  made += 1;
  const name = `${role}-${made}`;
  const account = await createAccount(runtime, { name, role, mail_address: mail }, BY);
  if (!account) throw new Error('The name is taken.');
  const { path } = await newSignInLink(runtime, account, BY);
  return { name, id: account.id, link: `${operatorsUrl}${path}` };
}

/** The browser of a signed-in operator. */
export class OperatorBrowser {
  readonly browser = new WebBrowser();
  readonly base: string;
  readonly name: string;
  #csrf = '';

  private constructor(base: string, name: string) {
    this.base = base;
    this.name = name;
  }

  static async signIn(test: Operated, role: ConsoleRole): Promise<OperatorBrowser> {
    return OperatorBrowser.enter(test, await addOperator(test, role));
  }

  static async enter(test: Operated, { name, link }: { name: string; link: string }): Promise<OperatorBrowser> {
    const operator = new OperatorBrowser(consoleUrl(test), name);
    const { text } = await operator.browser.open(link);
    const entered = await operator.browser.open(link, { csrf: csrfIn(text) });
    expect(entered.status).to.equal(303);
    return operator;
  }

  /** @param path below `/console` */
  async open(path: string) {
    const page = await this.browser.open(`${this.base}${path}`);
    const isPage = page.headers.get('content-type')?.startsWith('text/html');
    if (isPage && (page.status === 200 || page.status === 404)) this.#csrf = csrfIn(page.text);
    return page;
  }

  async act(path: string, form: Record<string, string> = {}) {
    if (this.#csrf === '') await this.open('/');
    return this.browser.open(`${this.base}${path}`, { csrf: this.#csrf, ...form });
  }
}
