import type { CDPSession, Page } from 'playwright-core';
import type { PasskeyRow } from '../../db/access/passkeys.ts';
import type { Holder as SignedIn } from '../../db/access/sign-in.ts';
import { type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { csrfIn, WebBrowser } from '../../harness/browser/web-browser.ts';
import type { TestService } from '../../harness/service/service.ts';

const ASK = `async (options) => JSON.stringify(
  await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))`;

let addresses = 0;
/** Each browser has an address of its own, so that tests do not use up each other's attempts. */
export function ownAddress() {
  addresses += 1;
  return { 'x-forwarded-for': `192.0.2.${addresses}` };
}

/** A member or an operator. */
interface Holder extends SignedIn {
  /** In the audit log. */
  actor: string;
  /** @returns a new link that signs them in */
  enter(): Promise<string>;
}

interface At {
  /** The address of the office. */
  base: string;
  /** Which the browser may reach. */
  origins: string[];
  holder: Holder;
}

/** A browser of a member or an operator, with an authenticator in their device. */
export class PasskeyBrowser {
  readonly id: string;
  readonly base: string;
  readonly page: Page;
  readonly problems: string[];
  readonly #test: Pick<TestService, 'service'>;
  readonly #holder: Holder;
  readonly #cdp: CDPSession;
  readonly #authenticatorId: string;

  private constructor(
    test: Pick<TestService, 'service'>,
    { base, holder }: At,
    seen: { page: Page; problems: string[] },
    cdp: CDPSession,
    authenticatorId: string,
  ) {
    this.id = holder.id;
    this.base = base;
    this.page = seen.page;
    this.problems = seen.problems;
    this.#test = test;
    this.#holder = holder;
    this.#cdp = cdp;
    this.#authenticatorId = authenticatorId;
  }

  static async signIn(test: Pick<TestService, 'service'>, { browser }: TestBrowser, at: At): Promise<PasskeyBrowser> {
    const options = { extraHTTPHeaders: ownAddress(), locale: 'en' };
    const seen = await visit(browser, `${at.base}/sign-in`, at.origins, options);
    const cdp = await seen.page.context().newCDPSession(seen.page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const signedIn = new PasskeyBrowser(test, at, seen, cdp, authenticatorId);
    await signedIn.enterByLink();
    return signedIn;
  }

  async enterByLink(): Promise<void> {
    await this.page.goto(await this.#holder.enter());
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.heading('Overview');
  }

  async addPasskey(name: string): Promise<void> {
    await this.page.goto(`${this.base}/account`);
    await this.page.getByRole('link', { name: 'Add a passkey' }).click();
    await this.page.getByLabel('Name of the passkey').fill(name);
    await this.page.getByRole('button', { name: 'Add a passkey' }).click();
    await this.notice('The passkey was added');
  }

  /** On the page that lists it. */
  async removePasskey(name: string): Promise<void> {
    await this.page.locator('summary', { hasText: 'Remove' }).click();
    await this.page.getByRole('button', { name: `Yes, remove ${name}` }).click();
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  notice(text: string): Promise<void> {
    return this.page.locator('.notice', { hasText: text }).waitFor();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign out' }).click();
    await this.heading('Sign in');
  }

  /** Signs a challenge as the script of the page would. @param at the page that asks */
  async answer(challenged: Challenged, { at = `${this.base}/sign-in`, change = {} } = {}): Promise<string> {
    await this.page.goto(at);
    return this.page.evaluate<string>(`(${ASK})(${JSON.stringify({ ...challenged.options, ...change })})`);
  }

  isUserVerified(isUserVerified: boolean): Promise<unknown> {
    return this.#cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.#authenticatorId, isUserVerified });
  }

  passkeys() {
    const { of, id } = this.#holder;
    return this.#test.service.runtime
      .db<PasskeyRow>(of === 'member_id' ? 'member_passkeys' : 'account_passkeys')
      .where(of, id)
      .orderBy('created_at');
  }

  async audited(): Promise<string[]> {
    const entries = this.#test.service.runtime.db('audit_entries').where({ actor: this.#holder.actor });
    return entries.orderBy('sequence').pluck('action');
  }
}

interface Challenged {
  browser: WebBrowser;
  csrf: string;
  options: object;
}

/** A new browser that was given a challenge by an office. */
export async function challenged(base: string): Promise<Challenged> {
  const browser = new WebBrowser();
  const { text } = await browser.open(`${base}/sign-in`);
  const options: object = JSON.parse((await browser.open(`${base}/sign-in/passkey`)).text);
  return { browser, csrf: csrfIn(text), options };
}

/** Sends what an authenticator signed to an office. */
export async function present(
  base: string,
  { browser, csrf }: Pick<Challenged, 'browser' | 'csrf'>,
  credential: string,
) {
  const [cookie] = browser.cookies.get(new URL(base).origin) ?? [];
  const answer = await fetch(`${base}/sign-in/passkey`, {
    method: 'POST',
    headers: { cookie: `${cookie?.name}=${cookie?.value}`, ...ownAddress() },
    body: new URLSearchParams({ csrf, credential }),
    redirect: 'manual',
  });
  return { status: answer.status, text: await answer.text() };
}
