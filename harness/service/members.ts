import { expect } from 'chai';
import type { MemberRole } from '../../db/access/members.ts';
import { addSignInLink } from '../../jobs/access/sign-in.ts';
import { addMember } from '../../jobs/members/members.ts';
import { csrfIn, type Form, readable, WebBrowser } from '../browser/web-browser.ts';
import type { TestService } from './service.ts';

const BY = { kind: 'operator', id: 'the test' } as const;
let made = 0;

interface NewMember {
  landlordId: string;
  /** The client_ids of the keys that they were given. */
  clientIds?: readonly string[];
  name?: string;
  mail?: string;
}

/** Adds a member. @returns their id, address and first sign-in link */
export async function addTestMember(
  { service }: Pick<TestService, 'service'>,
  role: MemberRole,
  { landlordId, clientIds = [], ...given }: NewMember,
) {
  const { runtime, url } = service;
  made += 1;
  const name = given.name ?? `${role} ${made}`;
  const mail_address = given.mail ?? `member-${made}@letting.example`;
  const keyIds = await runtime.db('api_keys').whereIn('client_id', clientIds).pluck('id');
  const member = await addMember(runtime, { landlord_id: landlordId, name, mail_address, role }, keyIds, BY);
  if (!member) throw new Error('The address is a member already.');
  return { id: member.id, mail: mail_address, link: await linkFor({ service }, member.id, url) };
}

export async function linkFor(
  { service }: Pick<TestService, 'service'>,
  id: string,
  url = service.url,
): Promise<string> {
  const link = await addSignInLink(service.runtime, { of: 'member_id', id }, { minutes: 30 }, BY);
  return `${url}${link?.path ?? expect.fail('too many links')}`;
}

/** The browser of a signed-in member. */
export class MemberBrowser {
  readonly browser = new WebBrowser();
  readonly base: string;
  readonly id: string;
  readonly mail: string;
  #csrf = '';

  private constructor(base: string, { id, mail }: { id: string; mail: string }) {
    this.base = base;
    this.id = id;
    this.mail = mail;
  }

  static async signIn(test: Pick<TestService, 'service'>, role: MemberRole, of: NewMember): Promise<MemberBrowser> {
    const { link, ...member } = await addTestMember(test, role, of);
    const signedIn = new MemberBrowser(`${test.service.url}/desk`, member);
    await signedIn.enter(link);
    return signedIn;
  }

  /** Signs in, again, by a link. @returns the answer that redirects to the desk */
  async enter(link: string) {
    const { text } = await this.browser.open(link);
    const entered = await this.browser.open(link, { csrf: csrfIn(text) });
    expect(entered.status).to.equal(303);
    this.#csrf = '';
    return entered;
  }

  /** @param path below `/desk` */
  async open(path: string) {
    const page = await this.browser.open(`${this.base}${path}`);
    const isPage = page.headers.get('content-type')?.startsWith('text/html');
    if (isPage && page.text.includes('name="csrf"')) this.#csrf = csrfIn(page.text);
    return page;
  }

  async act(path: string, form: Form = {}) {
    return this.browser.open(`${this.base}${path}`, { csrf: await this.csrf(), ...form });
  }

  /** The token of every form. */
  async csrf(): Promise<string> {
    if (this.#csrf === '') await this.open('/');
    return this.#csrf;
  }

  /** The header of a request that another client sends for them. */
  get cookie(): string {
    const kept = this.browser.cookies.get(new URL(this.base).origin) ?? [];
    return kept.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Follows the redirect of an action. @returns the text of the page */
  async follow(answer: Awaited<ReturnType<MemberBrowser['act']>>): Promise<string> {
    expect(answer.status, readable(answer.text)).to.equal(303);
    return readable((await this.browser.open(new URL(answer.location ?? '', answer.url).href)).text);
  }
}
