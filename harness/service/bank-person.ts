import { expect } from 'chai';
import { openStatement } from '../../jobs/banking/memory.ts';
import { eventually } from '../process/signals.ts';
import { type RawAnswer, send } from './client.ts';
import { look, onboardingPath, submit } from './links.ts';
import type { TestService } from './service.ts';

type Host = Pick<TestService, 'service' | 'alice'>;

/** A person who connects their bank behind an onboarding link, as a browser does without JavaScript. */
export class BankPerson {
  readonly email: string;
  readonly link: string;
  private readonly test: Host;
  cookie = '';
  private shown = '';

  private constructor(test: Host, email: string, link: string) {
    this.test = test;
    this.email = email;
    this.link = link;
  }

  /** An applicant of Alice with an account and a completed profile. */
  static async of(test: Host, email: string, name = 'Marta Ruiz', title = 'Loft'): Promise<BankPerson> {
    const tenants = [{ email, is_lead: true }];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title, tenants } })).data;
    const link = await onboardingPath(test, application_id, email);
    await submit(test, link, { name, answer: 'accept' });
    await test.alice.ok('updateParticipant', { params: { applicationId: application_id, email }, body: { name } });
    return new BankPerson(test, email, link);
  }

  get page(): string {
    return `${this.link}/bank`;
  }

  /** @param page their bank by default */
  async look(page = this.page): Promise<string> {
    const { status, text } = await look(this.test, page);
    expect(status).to.equal(200);
    return text;
  }

  /** Agrees to the text of the page. @returns the answer, which leads to the bank */
  async agree(bank = 'Banco de Ejemplo', changes: Record<string, string> = {}): Promise<RawAnswer> {
    // Forms may be sent from a page that was opened before.
    this.shown = /name="shown" value="([^"]+)"/.exec(await this.look())?.[1] ?? this.shown;
    const answer = await submit(this.test, this.page, { country: 'ES', bank, shown: this.shown, ...changes });
    const set = answer.headers['set-cookie'];
    if (set !== undefined)
      this.cookie = String(Array.isArray(set) ? set[0] : set)
        .split(';', 1)
        .join('');
    return answer;
  }

  /** Agrees here and at the bank. @param answer the query of the return besides the state */
  async consent(answer: Record<string, string>): Promise<void> {
    const { status, headers } = await this.agree();
    expect(status).to.equal(303);
    const state = new URL(String(headers['location'])).searchParams.get('state') ?? '';
    const back = await this.comeBack({ state, ...answer });
    expect(back.status).to.equal(303);
    expect(new URL(String(back.headers['location'])).pathname).to.equal(this.page);
  }

  comeBack(query: Record<string, string>, cookie = this.cookie): Promise<RawAnswer> {
    const path = `/verify/bank/callback?${new URLSearchParams(query)}`;
    return send(this.test.service.url, 'GET', path, { accept: 'text/html', ...(cookie ? { cookie } : {}) });
  }

  async rows() {
    const { db } = this.test.service.runtime;
    const participants = db('participants').where({ email: this.email }).select('id');
    return db('bank_connections').whereIn('participant_id', participants).orderBy('created_at', 'desc');
  }

  async latest() {
    const [row] = await this.rows();
    if (!row) throw new Error('Nothing was connected.');
    return row;
  }

  async reach(status: string): Promise<void> {
    await eventually(`the connection is ${status}`, async () => (await this.latest()).status === status);
  }

  /** Submits a form of the latest connection. */
  async act(action: 'accounts' | 'hand-in' | 'withdraw', fields: Record<string, string> = {}): Promise<RawAnswer> {
    return submit(this.test, `${this.page}/${(await this.latest()).id}/${action}`, fields);
  }

  async statement() {
    return openStatement(await this.latest(), this.test.service.runtime);
  }

  /** Connects, and hands in what the scenario's only account shows. */
  async handOver(scenario: string): Promise<void> {
    await this.consent({ code: scenario });
    await this.reach('fetched');
    expect((await this.act('hand-in')).status).to.equal(303);
    await this.reach('handed');
  }

  documents() {
    const { db } = this.test.service.runtime;
    return db('documents')
      .join('tenants', 'tenants.id', 'documents.tenant_id')
      .where({ email: this.email })
      .select('documents.id', 'documents.name', 'type', 'source', 'sha256');
  }
}
