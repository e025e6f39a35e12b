import { expect } from 'chai';
import type { KycVerificationRow } from '../../db/identity/kyc-verifications.ts';
import { WebBrowser } from '../browser/web-browser.ts';
import { Receiver } from '../peers/receiver.ts';
import { eventually } from '../process/signals.ts';
import type { RawAnswer } from './client.ts';
import { startTestService, type TestService } from './service.ts';
import { deliver, eventAbout, type StandInSession, StripeStandIn } from './stripe.ts';

export const VERIFIED = 'identity.verification_session.verified';
export const PROCESSING = 'identity.verification_session.processing';
export const REQUIRES_INPUT = 'identity.verification_session.requires_input';
export const CANCELED = 'identity.verification_session.canceled';

/** A service that verifies by Stripe Identity, the stand-in for Stripe, and two webhooks of Alice. */
export class StripeWorld {
  readonly stripe: StripeStandIn;
  readonly test: TestService;
  readonly receivers: Receiver[];

  private constructor(stripe: StripeStandIn, test: TestService, receivers: Receiver[]) {
    this.stripe = stripe;
    this.test = test;
    this.receivers = receivers;
  }

  static async start(): Promise<StripeWorld> {
    const stripe = await StripeStandIn.start();
    const test = await startTestService(stripe.env);
    const receivers = [await Receiver.start(), await Receiver.start()];
    for (const { url } of receivers) await test.alice.ok('createWebhook', { body: { url } });
    return new StripeWorld(stripe, test, receivers);
  }

  async stop(): Promise<void> {
    await this.test.stop();
    await Promise.all([this.stripe.stop(), ...this.receivers.map((receiver) => receiver.stop())]);
  }

  /** An account that Alice may address. */
  async applicant(email: string, documents = 0): Promise<string> {
    await this.test.alice.ok('createApplication', { body: { title: 'Stripe', tenants: [{ email, is_lead: true }] } });
    return (await this.test.tenant(email, { documents })).id;
  }

  /** Its person agreed to the check. @returns the address of their page */
  async initiate(tenantId: string): Promise<string> {
    const { verification_url } = (await this.test.alice.ok('initiateKyc', { params: { tenantId } })).data;
    await new WebBrowser().agree(verification_url);
    return verification_url;
  }

  /** A verification that Stripe waits for. */
  async startedVerification(email: string, documents = 0): Promise<{ tenantId: string; session: StandInSession }> {
    const known = new Set(this.stripe.sessions.keys());
    const tenantId = await this.applicant(email, documents);
    await this.initiate(tenantId);
    const session = [...this.stripe.sessions.values()].find(({ id }) => !known.has(id));
    return { tenantId, session: session ?? expect.fail('Stripe was not asked.') };
  }

  async verifications(tenant_id: string): Promise<KycVerificationRow[]> {
    return this.test.service.runtime.db('kyc_verifications').where({ tenant_id }).orderBy('created_at');
  }

  /** A tenant's only one. */
  async verification(tenantId: string): Promise<KycVerificationRow> {
    const rows = await this.verifications(tenantId);
    expect(rows).to.have.length(1);
    return rows[0] ?? expect.fail();
  }

  ended(tenantId: string, status: KycVerificationRow['status']): Promise<KycVerificationRow> {
    return eventually(`the verification is ${status}`, async () => {
      const row = await this.verification(tenantId);
      return row.status === status && row;
    });
  }

  async events(tenant_id: string): Promise<string[]> {
    return (await this.test.service.runtime.db('events').where({ tenant_id })).map(({ event }) => event);
  }

  sendMessage(type: string, session: object): Promise<RawAnswer> {
    return deliver(this.test.service.url, eventAbout(session, type));
  }

  async deliverMessage(type: string, session: object): Promise<void> {
    expect((await this.sendMessage(type, session)).status).to.equal(200);
  }

  /** How often a session's status was requested from Stripe. */
  looks(): number {
    return this.stripe.requests.filter(({ method }) => method === 'GET').length;
  }
}
