/** The integrators' side, in its own process: every endpoint on its own port, every signature verified by hand. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { numbersOf } from '@tenant-screening/forensics-corpus/random.ts';
import { moment, offer } from '../remote.ts';
import { type Endpoint, type Receipt, SECRET } from './endpoint.ts';

export type Receiver = typeof functions;

const TOLERANCE_SECONDS = 300;

const key = createSecretKey(Buffer.from(SECRET.slice('whsec_'.length), 'base64'));
const random = numbersOf(1);
const receipts: Receipt[] = [];
/** Events at endpoints that do not always hang. */
const arrived = new Set<number>();
const faults: string[] = [];

const functions = {
  /** Opens the endpoints and returns their addresses. */
  listen: (endpoints: Endpoint[]): Promise<string[]> => Promise.all(endpoints.map(listen)),
  /** How many events reached an endpoint that does not always hang. */
  arrived: (): number => arrived.size,
  receipts: (): Receipt[] => receipts,
  /** How many different events from this number on. */
  arrivedOf: (from: number): number => new Set(receiptsFrom(from).map(({ event }) => event)).size,
  receiptsOf: receiptsFrom,
  /** How many of events below this number, repetitions included. */
  receivedBelow: (to: number): number => receipts.length - receiptsFrom(to).length,
  /** Resets everything. */
  forget: (): void => {
    receipts.length = 0;
    arrived.clear();
  },
  /** Requests that could not be verified. */
  faults: (): string[] => faults,
};
offer(functions);

function receiptsFrom(from: number): Receipt[] {
  return receipts.filter(({ event }) => event >= from);
}

async function listen({ hangs, hangMs, fails = 0 }: Endpoint): Promise<string> {
  const server = createServer({ keepAlive: true, keepAliveTimeout: 60_000 }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const hung = hangs > 0 && random() < hangs;
      if (fails > 0 && random() < fails) {
        res.writeHead(503).end();
        return;
      }
      const event = take(req, Buffer.concat(chunks), hung);
      if (event !== undefined && hangs < 1) arrived.add(event);
      answer(res, hung ? hangMs : 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/**
 * @returns the number of the event, if the request is authentic
 */
function take({ headers }: IncomingMessage, body: Buffer, hung: boolean): number | undefined {
  const fault = signatureFault(headers, body, key);
  const at = moment();
  if (fault) {
    faults.push(fault);
    return undefined;
  }
  const event: number = JSON.parse(body.toString()).data.number;
  receipts.push({ event, at, hung });
  return event;
}

function answer(res: ServerResponse, afterMs: number): void {
  if (afterMs === 0) res.writeHead(200).end();
  else if (Number.isFinite(afterMs)) setTimeout(() => res.writeHead(200).end(), afterMs);
}

function signatureFault(headers: IncomingMessage['headers'], body: Buffer, secret: KeyObject): string | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return `stale timestamp ${timestamp}`;
  const code = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return String(signatures).split(' ').includes(`v1,${code}`) ? undefined : `wrong signature of ${id}`;
}
