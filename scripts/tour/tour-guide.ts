import { strict as assert } from 'node:assert';
import { readdir } from 'node:fs/promises';
import { styleText } from 'node:util';
import { checkAnswer, operationOf } from '../../harness/contract/contract.ts';
import { type Received, Receiver, verify } from '../../harness/peers/receiver.ts';
import { described } from '../../harness/process/failures.ts';
import { onScreen } from '../../harness/process/on-screen.ts';

type Data = Record<string, unknown>;
interface Answer {
  status: number;
  message: string;
  data: Data;
  /** The whole answer, for the error message when it is unexpected. */
  seen: string;
}

const WEBHOOK_SECRET = 'whsec_dG91ciBzZWNyZXQgb2YgdGhlIGRlbW8gcnVu';

/** The tour's equipment: an HTTP client, a webhook receiver, the mailbox, and the printing of each step. */
export class Guide {
  readonly env: Record<string, string>;
  readonly webhook: { url: string; secret: string };
  token = '';
  steps = 0;
  private readonly receiver: Receiver;
  private readonly mailbox: string;
  private readonly print: (line: string) => void;

  private constructor(env: Record<string, string>, mailbox: string, print: (line: string) => void, receiver: Receiver) {
    this.env = env;
    this.mailbox = mailbox;
    this.print = print;
    this.receiver = receiver;
    this.webhook = { url: receiver.url, secret: WEBHOOK_SECRET };
  }

  static async start(env: Record<string, string>, mailbox: string, print: (line: string) => void): Promise<Guide> {
    return new Guide(env, mailbox, print, await Receiver.start());
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  chapter(title: string): void {
    this.print(styleText('bold', `\n  ${title}`));
  }

  /** Prints the step with its result. @throws when it did not behave as expected */
  async step(title: string, look: () => Promise<string>): Promise<void> {
    try {
      const seen = await look();
      this.print(onScreen(`${styleText('green', '✔')} ${title}${styleText('dim', `  ${seen}`)}`, '    ', '        '));
      this.steps++;
    } catch (error) {
      throw new Error(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async call(method: string, path: string, body?: unknown, authorization = `Bearer ${this.token}`): Promise<Answer> {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(this.env['BASE_URL'] + path, { method, headers, ...payload });
    const text = await answer.text();
    const operation = operationOf(method, path);
    assert.ok(operation, `The contract has no ${method} ${path}.`);
    checkAnswer(operation, answer.status, answer.headers.get('content-type'), text);
    const envelope: { message: string; data?: Data } = JSON.parse(text);
    const seen = described({ status: answer.status, headers: Object.fromEntries(answer.headers), text });
    return { status: answer.status, message: envelope.message, data: envelope.data ?? {}, seen };
  }

  /** A call that must succeed. */
  async ok(method: string, path: string, body?: unknown, authorization?: string): Promise<Answer> {
    const answer = await this.call(method, path, body, authorization);
    assert.equal(answer.status, 200, answer.seen);
    return answer;
  }

  /** A call that must be refused with this status. */
  async refused(status: number, method: string, path: string, body?: unknown, authorization?: string): Promise<string> {
    const answer = await this.call(method, path, body, authorization);
    assert.equal(answer.status, status, answer.seen);
    return `${status}: ${answer.message}`;
  }

  /** Waits for the nth delivery of an event and verifies the signature of each as an integrator would. */
  async event(name: string, nth = 1): Promise<Received> {
    const deliveries = await this.receiver.next(name, nth);
    for (const delivery of deliveries) verify(delivery, this.webhook.secret);
    const last = deliveries.at(-1);
    assert.ok(last);
    return last;
  }

  async mails(): Promise<string[]> {
    const names = await readdir(this.mailbox).catch(() => []);
    return names.filter((name) => name.endsWith('.eml')).map((name) => `${this.mailbox}/${name}`);
  }
}
