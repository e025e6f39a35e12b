import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readContract } from '../../core/contract.ts';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';
import type { Deviation, PlantedAnswer } from './deviations.ts';

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

const operations = readContract().operations.map(({ id, method, path }) => ({
  id,
  method: method.toUpperCase(),
  pattern: new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  isTemplate: path.includes('{'),
}));

/** Stands in front of a sandbox and plants one deviation; everything else passes unchanged. */
export interface DeviatingProxy extends RunningServer {
  plant(deviation: Deviation | undefined): void;
  /** How many answers deviated since the last planting. */
  planted(): number;
}

export async function startDeviatingProxy(target: string): Promise<DeviatingProxy> {
  let current: Deviation | undefined;
  let planted = 0;
  const server = createServer(async (req, res) => {
    const { host: _, 'accept-encoding': __, ...headers } = req.headers;
    const answer = await forward(new URL(target), req.method ?? 'GET', req.url ?? '/', headers, await buffer(req));
    const operation = operationOf(req.method, req.url);
    if (current && current.operation === operation && current.status === answer.status) {
      current.plant(answer);
      planted++;
    }
    const text = answer.body === undefined ? 'not JSON' : JSON.stringify(answer.body);
    res.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(text) });
    res.end(req.method === 'HEAD' ? undefined : text);
  });
  return {
    ...(await listen(server, 0)),
    plant: (deviation) => {
      [current, planted] = [deviation, 0];
    },
    planted: () => planted,
  };
}

/** Literal paths take precedence over templates. */
function operationOf(method = '', url = ''): string | undefined {
  const [path = ''] = url.split('?');
  const fitting = operations.filter((known) => known.method === method && known.pattern.test(path));
  return (fitting.find(({ isTemplate }) => !isTemplate) ?? fitting[0])?.id;
}

function forward(
  { hostname, port }: URL,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<PlantedAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers }, async (incoming) => {
      const kept = Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
      const text = (await buffer(incoming)).toString();
      resolve({
        status: incoming.statusCode ?? 0,
        headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
        body: text === '' ? undefined : JSON.parse(text),
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
