import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { copiedDatabase } from '../../harness/database/databases.ts';
import { described } from '../../harness/process/failures.ts';
import type { RawAnswer } from '../../harness/service/client.ts';
import type { TestService } from '../../harness/service/service.ts';
import { exchange } from '../edge/requests.ts';
import { type PlainStack, startPlainStack } from '../plain-stack/start.ts';
import type { Call } from '../properties/curl.ts';
import {
  answerTo,
  type Caller,
  type Exchange,
  type Furniture,
  furnish,
  startIdle,
  World,
} from '../properties/world.ts';
import { reopened } from './live-service.ts';
import { MadeIds } from './made-ids.ts';
import { rowsIn, storedIn } from './stored.ts';

/**
 * The service in live mode, and the plain stack on a copy of its database. Every request of every case goes to both, under the same clock,
 * and their answers must match.
 */
export class TwoStacks extends World {
  private readonly plain: PlainStack;
  private readonly plainDb: Database;
  private readonly ids = new MadeIds();
  private moment = 0;
  private succeeded = false;

  private constructor(test: TestService, furniture: Furniture, plain: PlainStack, plainDb: Database) {
    super(test, furniture);
    this.plain = plain;
    this.plainDb = plainDb;
    this.tick();
  }

  static override async start(): Promise<TwoStacks> {
    const first = await startIdle();
    const furniture = await furnish(first);
    await first.service.close();
    const env = {
      DATA_DIR: first.folder,
      DATABASE_URL: await copiedDatabase(first.config.database, first.folder),
      RUN_WORKERS: 'false',
      SANDBOX_DELAY_MS: String(first.config.sandboxDelayMs),
    };
    const test = await reopened(first);
    // An open service would keep the run alive.
    const plain = await startPlainStack(env).catch(async (error) => {
      await test.stop();
      throw error;
    });
    const stacks = new TwoStacks(test, furniture, plain, await open(readConfig(env).database));
    stacks.ids.know(await rowsIn(stacks.plainDb));
    return stacks;
  }

  /** @throws when they answer differently */
  override async send(call: Call): Promise<Exchange> {
    await this.nextMoment();
    const [sent, other] = await Promise.all([super.send(call), answerTo(this.plain.url, this.ids.inCall(call))]);
    this.succeeded = sent.answer.status === 200;
    this.compare(told(sent.answer, this.test.service.url), told(other, this.plain.url));
    // A failure on both stacks is still a failure.
    if (sent.answer.status >= 500) throw new Error(described(sent.answer));
    return sent;
  }

  /** Read-only requests, all at once. @throws when the stacks answer one differently */
  async sendTogether(calls: Call[]): Promise<void> {
    await this.nextMoment();
    const both = calls.map((call) =>
      Promise.all([answerTo(this.test.service.url, call), answerTo(this.plain.url, this.ids.inCall(call))]),
    );
    for (const [ours, theirs] of await Promise.all(both))
      this.compare(told(ours, this.test.service.url), told(theirs, this.plain.url));
  }

  /** Sends the raw bytes of a connection. @throws when the stacks answer differently */
  async sendBytes(bytes: string): Promise<void> {
    await this.nextMoment();
    const [ours, theirs] = await Promise.all(
      [this.test.service.url, this.plain.url].map((url) => exchange(url, Buffer.from(bytes, 'latin1'))),
    );
    this.compare(timeless(ours), timeless(theirs));
  }

  override async caller(name?: string): Promise<Caller> {
    return this.shared(await super.caller(name));
  }

  override async outsider(): Promise<Caller> {
    return this.shared(await super.outsider());
  }

  /** Applies the same change to both databases. The change must not generate identifiers. */
  async inBoth(change: (db: Database) => Promise<unknown>): Promise<void> {
    for (const db of [this.test.service.runtime.db, this.plainDb]) await change(db);
  }

  /** @throws with the first rows that differ */
  async compareStored(): Promise<void> {
    const [service, plain] = [await storedIn(this.test.service.runtime.db), await storedIn(this.plainDb)];
    const different = service.findIndex((line, index) => line !== plain[index]);
    if (different < 0 && service.length === plain.length) return;
    const from = different < 0 ? Math.min(service.length, plain.length) : different;
    const told = (lines: string[]) => lines.slice(from, from + 2).join('\n');
    throw new Error(`the plain stack has stored:\n${told(plain)}\n\nthe service:\n${told(service)}`);
  }

  override async stop(): Promise<void> {
    await disconnect(this.plainDb);
    await this.plain.stop();
    await super.stop();
  }

  /** Successful requests never share a millisecond, because the time identifies their rows. */
  private async nextMoment(): Promise<void> {
    const last = this.moment;
    if (this.succeeded && this.clock().getTime() === last) this.tick();
    this.moment = this.clock().getTime();
    if (this.moment !== last) await this.plain.setNow(this.clock());
    this.succeeded = true;
  }

  private compare(ours: string, plain: string): void {
    const service = this.ids.translated(ours, plain);
    if (service !== plain) throw new Error(`the plain stack:\n${plain}\n\nthe service:\n${service}`);
  }

  private async shared(caller: Caller): Promise<Caller> {
    const [row] = await this.test.service.runtime.db('api_keys').where({ id: caller.apiKeyId });
    if (row) await this.plainDb('api_keys').insert(row);
    this.ids.know(JSON.stringify(row));
    return caller;
  }
}

/** The reproducible part of the received bytes. Ignores header order and the case of header names. */
function timeless(received = ''): string {
  const named = received.replace(/^[\w-]+(?=: )/gm, (name) => name.toLowerCase());
  const parts = named.replace(/^(date|x-request-id): .*$/gm, '$1: …').split('\r\n\r\n');
  return parts.map((part) => part.split('\r\n').sort().join('\n')).join('\n\n');
}

/** An answer without the parts that differ between any two answers. */
function told({ status, headers, text }: RawAnswer, url: string): string {
  const { date: _date, 'x-request-id': id, ...rest } = headers;
  const lines = Object.entries({ ...rest, 'x-request-id': id === undefined ? 'missing' : 'there' })
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return [status, ...lines, '', text.replaceAll(url, 'SERVICE')].join('\n');
}
