import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkSchema, componentSchema } from '../contract/contract.ts';
import { eventually } from '../process/signals.ts';

export interface Received {
  headers: Record<string, string>;
  /** The exact bytes, as text. */
  body: string;
  event: string;
  data: Record<string, unknown> | null;
  at: Date;
}

const eventSchemas: Record<string, string> = {
  EID_SUCCESS: 'EidSuccessEvent',
  KYC_VERIFICATION_DATA: 'KycVerificationDataEvent',
  FORENSIC_ANALYSIS_DATA: 'ForensicAnalysisDataEvent',
};

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A real webhook endpoint. It checks every delivery against the contract, and answers as and when `answer` decides, 200 by default. */
export class Receiver {
  readonly received: Received[] = [];
  readonly faults: string[] = [];
  answer: () => number | Answer | Promise<number | Answer> = () => 200;
  url = '';
  /** Its addresses begin with it. No other receiver's do: its sender may find this one at the same port later. */
  private readonly path = `/hook/${randomBytes(4).toString('hex')}`;
  private readonly server = createServer((req, res) => {
    if (!req.url?.startsWith(this.path)) return void res.writeHead(404).end();
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', async () => {
      this.take(req.headers, Buffer.concat(chunks).toString());
      const answer = await this.answer();
      const { status, headers = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer;
      res.writeHead(status, headers).end(body);
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.server.address() as AddressInfo;
    receiver.url = `http://127.0.0.1:${port}${receiver.path}`;
    return receiver;
  }

  private take(headers: Record<string, string | string[] | undefined>, body: string): void {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    try {
      const told = JSON.parse(body);
      const { event, data } = told;
      if (plain['content-type'] !== 'application/json') throw new Error(`Content-Type is ${plain['content-type']}`);
      checkSchema(`event ${event}`, componentSchema(eventSchemas[event] ?? 'undeclared'), told);
      this.received.push({ headers: plain, body, event, data, at: new Date() });
    } catch (error) {
      this.faults.push(String(error));
    }
  }

  /** Waits for the first `count` deliveries of an event. */
  async next(event: string, count = 1): Promise<Received[]> {
    return eventually(`${count} ${event} arrived at ${this.url}`, () => {
      if (this.faults.length > 0) throw new Error(this.faults.join('; '));
      const matching = this.received.filter((delivery) => delivery.event === event);
      return matching.length >= count && matching;
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a delivery with a base64 secret as registered, by the time of its arrival. Uses `node:crypto`, independently of the public library that the service
 * signs with. @throws
 */
export function verify(
  { headers, body, at = new Date() }: Pick<Received, 'headers' | 'body'> & Partial<Received>,
  secret: string,
): void {
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(at.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new Error('It is too old or new.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.${body}`).digest('base64');
  if (!headers['webhook-signature']?.split(' ').includes(`v1,${digest}`)) throw new Error('No signature matches.');
}
