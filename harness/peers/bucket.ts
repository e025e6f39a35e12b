import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

const BUCKET = 'screening-documents';
const PREFIX = 'tenants/sealed';

export interface TestBucket {
  /** The settings of a service that keeps its documents here. */
  env: Record<string, string>;
  /** The file in which the server keeps an object. */
  fileOf(sha256: string): string;
  /** The keys of all objects. */
  keys(): Promise<string[]>;
  /** Called before the next request with this method is answered, or replaces the answer by its own. */
  beforeNext(method: string, action: Action): void;
  stop(): Promise<void>;
}

type Action = () => Promise<{ status: number; headers?: Record<string, string> } | undefined>;

/** How a server treats conditional requests: S3 honours them, others ignore or refuse them. */
type Conditions = 'heeded' | 'ignored' | 'refused';

/**
 * A real S3-compatible server on a free port, which checks signatures. It ignores conditional headers; a front handles those that
 * a test needs, and forwards everything else unchanged.
 */
export async function startBucket(conditions: Conditions): Promise<TestBucket> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-bucket-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const front = await startFront(port, conditions);
  const inside = join(folder, BUCKET, PREFIX);
  return {
    env: {
      DOCUMENT_STORE: `s3://${BUCKET}/${PREFIX}`,
      S3_ENDPOINT: `http://127.0.0.1:${front.port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    fileOf: (sha256) => join(inside, sha256.slice(0, 2), `${sha256}._S3rver_object`),
    keys: async () => {
      const names = await readdir(inside, { recursive: true }).catch((): string[] => []);
      return names.filter((name) => name.endsWith('_object')).map((name) => name.replace('._S3rver_object', ''));
    },
    beforeNext: (method, action) => front.actions.set(method, action),
    stop: async () => {
      await front.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startFront(port: number, conditions: Conditions) {
  let last: Promise<unknown> = Promise.resolve();
  const actions = new Map<string | undefined, Action>();
  const front = createServer(async (req, res) => {
    const action = actions.get(req.method);
    actions.delete(req.method);
    const instead = await action?.();
    if (instead) {
      res.writeHead(instead.status, instead.headers).end();
      return;
    }
    // Sequentially, so that nothing comes between a condition and the change that depends on it.
    last = last.then(() => answer(port, conditions, req, res)).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = front.address() as AddressInfo;
  return {
    port: ownPort,
    actions,
    stop: () =>
      new Promise<void>((resolve) => {
        front.close(() => resolve());
        front.closeAllConnections();
      }),
  };
}

async function answer(port: number, conditions: Conditions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const wanted = req.headers['if-match'];
  const conditional = conditions !== 'ignored' && req.method !== 'GET' && (wanted ?? req.headers['if-none-match']);
  const there = conditional ? await forward(port, 'HEAD', req.url, {}) : undefined;
  const tag = there?.statusCode === 200 ? there.headers.etag : undefined;
  there?.resume();
  const failed = conditional && (wanted ? tag !== wanted : tag !== undefined);
  if (conditional && (failed || conditions === 'refused')) {
    req.resume();
    res.writeHead(conditions === 'refused' ? 501 : 412).end();
    return;
  }
  const answered = await forward(port, req.method, req.url, headersOf(req), req);
  res.writeHead(answered.statusCode ?? 502, answered.headers);
  await new Promise((resolve) => answered.pipe(res).once('close', resolve));
}

/** Drops the signature of listings: this server omits a slash of the path that all clients sign. */
function headersOf({ url, headers: { authorization, ...headers } }: IncomingMessage): IncomingMessage['headers'] {
  const isListing = url?.startsWith(`/${BUCKET}/?`);
  return authorization && !isListing ? { ...headers, authorization } : headers;
}

function forward(
  port: number,
  method: string | undefined,
  path: string | undefined,
  headers: IncomingMessage['headers'],
  body?: IncomingMessage,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, resolve).once('error', reject);
    if (body) body.pipe(sent);
    else sent.end();
  });
}
