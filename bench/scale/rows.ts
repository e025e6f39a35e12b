import { ID_PREFIX } from '../../core/ids.ts';
import type { Database } from '../../db/connection/database.ts';
import { bulkId, dialectOf, insertBulk, orderedSpread } from '../../harness/database/bulk-rows.ts';
import { type Amounts, KEYS, MINUTES, WEBHOOKS_AN_EVENT } from './amounts.ts';

/** One delivery in this many has failed permanently, and one in this many took a second attempt. */
const FAILED_EVERY = 100;
const RETRIED_EVERY = 20;

/** The rows of each table, made in the database by their number from 1. */
export class Rows {
  readonly #db: Database;
  readonly #amounts: Amounts;

  constructor(db: Database, amounts: Amounts) {
    this.#db = db;
    this.#amounts = amounts;
  }

  async addWebhooks(urls: readonly string[], sealedSecret: string): Promise<void> {
    const created_at = new Date().toISOString();
    const rows = urls.map((url, index) => ({
      id: bulkId('webhook', index + 1),
      api_key_id: bulkId('key', (index % KEYS) + 1),
      url,
      sealed_secret: sealedSecret,
      status: 'active' as const,
      created_at,
    }));
    await this.#db('webhooks').insert(rows);
  }

  async addEvents(sealedBody: string): Promise<void> {
    const { events } = this.#amounts;
    const id = this.eventId('i');
    await this.#add('event_bodies', events, { id, body: `'${sealedBody}'` });
    await this.#add('events', events, {
      id,
      tenant_id: this.#tenant('i'),
      api_key_id: this.#key('i'),
      event: `case i % 3 when 0 then 'EID_SUCCESS' when 1 then 'KYC_VERIFICATION_DATA' else 'FORENSIC_ANALYSIS_DATA' end`,
      created_at: this.#ago('i', events),
    });
  }

  addDeliveries(): Promise<void> {
    const { deliveries, events } = this.#amounts;
    const event = eventOf('i');
    return this.#add('deliveries', deliveries, {
      id: this.deliveryId('i'),
      event_id: this.eventId(event),
      webhook_id: this.#to.id('webhook', `${this.#keyNumber(event)} + i % ${WEBHOOKS_AN_EVENT} * ${KEYS}`),
      status: `case when i % ${FAILED_EVERY} = 0 then 'failed' else 'delivered' end`,
      attempts: `case when i % ${RETRIED_EVERY} = 0 then 2 else 1 end`,
      last_status_code: `case when i % ${FAILED_EVERY} = 0 then 503 else 200 end`,
      created_at: this.#ago(event, events),
      finished_at: this.#ago(event, events),
    });
  }

  async addAttempts(): Promise<void> {
    const { deliveries, events } = this.#amounts;
    const attempt = (number: string, every: number, status: string) =>
      this.#add('delivery_attempts', Math.floor(deliveries / every), {
        delivery_id: this.deliveryId(`(i * ${every})`),
        number,
        started_at: this.#ago(eventOf(`(i * ${every})`), events),
        duration_ms: '20 + i % 100',
        status_code: status,
      });
    await attempt('1', 1, `case when i % ${RETRIED_EVERY} = 0 then 503 else 200 end`);
    await attempt('2', RETRIED_EVERY, `case when i % 5 = 0 then 503 else 200 end`);
  }

  async addChecks(): Promise<void> {
    const { applications } = this.#amounts;
    const checks = (status: string) => ({
      id: this.#to.id('flow', 'i', this.#spread),
      tenant_id: this.#to.id('tenant', 'i', this.#spread),
      api_key_id: this.#to.id('key', `i % ${KEYS} + 1`),
      status: `'${status}'`,
      created_at: this.#ago('i', applications),
      finished_at: this.#ago('i', applications),
    });
    const expires_at = this.#to.minutesAgo('0');
    await this.#add('kyc_verifications', applications, { ...checks('verified'), expires_at });
    await this.#add('eid_flows', applications, { ...checks('succeeded'), expires_at, redirect_url: `'x'` });
    await this.#add('forensic_runs', applications, checks('completed'));
  }

  /** One of each applicant, whose file is not there. */
  addDocuments(): Promise<void> {
    const { applications } = this.#amounts;
    return this.#add('documents', applications, {
      id: this.#to.id('document', 'i', this.#spread),
      tenant_id: this.#to.id('tenant', 'i', this.#spread),
      name: `'payslip.pdf'`,
      media_type: `'application/pdf'`,
      size_bytes: '100000',
      sha256: `${this.#to.id('other', 'i', this.#spread)} || '0123456789012345678901234567'`,
      source: `'participant'`,
      created_at: this.#ago('i', applications),
    });
  }

  /** One more for each application, chained as those of `filled`. */
  addAuditEntries(): Promise<void> {
    const { applications } = this.#amounts;
    return this.#add('audit_entries', applications, {
      at: this.#ago('i', applications),
      actor_kind: `'api_key'`,
      actor: this.#to.id('key', `i % ${KEYS} + 1`),
      action: `'participant.update'`,
      resource_id: this.#to.id('application', 'i', this.#spread),
      position: `i + ${applications}`,
      hash: `${this.#to.id('other', 'i', this.#spread)} || '0123456789012345678901234567'`,
    });
  }

  /** As a vacuum at night leaves it. */
  async settle(): Promise<void> {
    await this.#db.raw('vacuum (freeze, analyze)');
    await this.#db.raw('checkpoint');
  }

  /** As the service makes them: the time in front. */
  eventId(number: string): string {
    return `'${ID_PREFIX.event}' || ${this.#timedHex(number, number)}`;
  }

  /** With the time of the event. */
  deliveryId(number: string): string {
    return `'${ID_PREFIX.delivery}' || ${this.#timedHex(eventOf(number), number)}`;
  }

  #timedHex(event: string, number: string): string {
    const { endedAt, events } = this.#amounts;
    const ms = `(${endedAt - MINUTES * 60_000} + (${event})::bigint * ${MINUTES * 60_000}::bigint / ${events})`;
    return `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5((${number})::text), 1, 3) || '8' || substr(md5((${number})::text), 4, 15))`;
  }

  get #to() {
    return dialectOf(this.#db);
  }

  get #spread(): number {
    return orderedSpread(this.#amounts.applications);
  }

  /** The application of an event. */
  #number(event: string): string {
    return `((${event}) % ${this.#amounts.applications} + 1)`;
  }

  #tenant(event: string): string {
    return this.#to.id('tenant', this.#number(event), this.#spread);
  }

  #keyNumber(event: string): string {
    return `(${this.#number(event)} % ${KEYS} + 1)`;
  }

  #key(event: string): string {
    return this.#to.id('key', this.#keyNumber(event));
  }

  #ago(number: string, amount: number): string {
    return this.#to.minutesAgo(`(${amount} - ${number}) * ${MINUTES}.0 / ${amount}`);
  }

  #add(table: string, amount: number, columns: Record<string, string>): Promise<void> {
    return insertBulk(this.#db, table, amount, columns);
  }
}

function eventOf(delivery: string): string {
  return `(((${delivery}) - 1) / ${WEBHOOKS_AN_EVENT} + 1)`;
}
