import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** The attempts of one delivery that arrived here. */
export interface Arrival {
  endpoint: number;
  body: string;
  /** How often it was sent. */
  attempts: number;
  /** How often we acknowledged it. More than once is a duplicate. */
  accepted: number;
}

export const SECRET = `whsec_${Buffer.from('every restart is survived by us').toString('base64')}`;
const SLOW_MS = 3_000;

/** Most requests are accepted; the cumulative shares of the others, from 0 to 1. */
const FAILS = 0.08;
const SLOW = 0.03;
const SILENT = 0.01;

/** The integrators' endpoints: each verifies everything, and occasionally fails, is slow or never answers. */
export class Endpoints {
  readonly arrivals = new Map<string, Arrival>();
  readonly faults: string[] = [];
  readonly urls: string[] = [];
  private readonly webhook = new Webhook(SECRET);
  private readonly random: () => number;

  private constructor(random: () => number) {
    this.random = random;
  }

  static async open(amount: number, random: () => number): Promise<Endpoints> {
    const endpoints = new Endpoints(random);
    for (let index = 0; index < amount; index++) await endpoints.listen(index);
    return endpoints;
  }

  private async listen(endpoint: number): Promise<void> {
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      // A process that is killed leaves half a request.
      req.on('error', () => {});
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => this.take(endpoint, plain(req.headers), Buffer.concat(chunks).toString(), res));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  }

  private take(endpoint: number, headers: Record<string, string>, body: string, res: ServerResponse): void {
    const id = headers['webhook-id'] ?? '';
    try {
      this.webhook.verify(body, headers);
    } catch (error) {
      this.faults.push(`${id} could not be verified: ${error}`);
    }
    const arrival = this.arrivals.get(id) ?? { endpoint, body, attempts: 0, accepted: 0 };
    this.arrivals.set(id, arrival);
    if (arrival.body !== body || arrival.endpoint !== endpoint) this.faults.push(`${id} came with another body`);
    arrival.attempts++;
    this.answer(res, () => arrival.accepted++);
  }

  private answer(res: ServerResponse, accept: () => void): void {
    const accepted = () => {
      // A killed sender never learns that its delivery was accepted.
      if (res.destroyed) return;
      accept();
      res.writeHead(200).end();
    };
    const luck = this.random();
    if (luck < FAILS) res.writeHead(500).end();
    else if (luck < FAILS + SLOW) setTimeout(accepted, SLOW_MS);
    else if (luck >= FAILS + SLOW + SILENT) accepted();
  }
}

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
