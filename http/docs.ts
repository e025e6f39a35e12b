import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { contentDigest } from '../core/content-digest.ts';
import { readContract } from '../core/contract.ts';
import { MethodNotAllowed } from '../core/errors.ts';
import { memoized } from '../core/memoized.ts';
import type { Config } from '../core/settings/config.ts';
import type { Site } from '../site/build.ts';
import { contentPolicy } from '../site/content-policy.ts';
import { contractFiles } from '../site/contract-files.ts';
import { NOT_FOUND, notFoundAt } from '../site/not-found.ts';
import { wantsHtml } from './edge/addresses.ts';
import { writeJson } from './edge/write-json.ts';

/** Smaller files are not compressed. */
const COMPRESS_FROM_BYTES = 1024;

const compress = {
  br: (content: Buffer) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(gzip),
  identity: async (content: Buffer) => content,
};

type Served = Pick<Site, 'files'> & Partial<Pick<Site, 'tryItAddress'>>;

/** A file in one encoding, ready to be sent. */
interface Packed {
  content: Buffer;
  headers: Record<string, string>;
}

/**
 * The reference site below `/docs/`, and the contract itself at `/openapi.yaml` and `/openapi.json`. Paths match exactly, as in the
 * API. The first request for a page builds the site.
 */
export function docs({ mode }: Pick<Config, 'mode'>): RequestHandler {
  // In sandbox mode try-it calls this service; in live it calls the sandbox.
  const load = memoized(async () => {
    // Imported on first use: Scalar alone would double the start-up time.
    const { buildSite } = await import('../site/build.ts');
    return buildSite(mode === 'sandbox' ? '../api/v1' : undefined);
  });
  // Made without the pages: each service asks itself for it, to see whether it answers at its address.
  const loadContract = memoized(async (): Promise<Served> => {
    const { yaml, document } = readContract();
    return { files: new Map(contractFiles(yaml, document)) };
  });
  const packed = new Map<string, () => Promise<Packed>>();
  return async (req, res, next) => {
    if (req.path === '/') return answerTop(req, res);
    const path = sitePath(req.path);
    if (path === undefined) return next();
    const site = await (/^openapi\.(yaml|json)$/.test(path) ? loadContract() : load());
    if (path !== '' && !site.files.has(path))
      return prefersPage(req, res) ? sendNotFound(req, res, site, path) : next();
    if (req.method !== 'GET' && req.method !== 'HEAD') throw new MethodNotAllowed('GET, HEAD');
    // Relative, so that it works behind a proxy with a path prefix.
    if (path === '') return void res.writeHead(308, { Location: 'docs/', 'Content-Length': 0 }).end();
    const encoding = encodingFor(req, site, path);
    const key = `${encoding} ${path}`;
    const file = packed.get(key) ?? memoized(() => pack(site, path, encoding));
    packed.set(key, file);
    send(req, res, await file());
  };
}

/** At the top, people get the guides, programs the way to everything else. */
function answerTop(req: Request, res: Response): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') throw new MethodNotAllowed('GET, HEAD');
  res.vary('Accept');
  if (wantsHtml(req)) return void res.writeHead(302, { Location: 'docs/', 'Content-Length': 0 }).end();
  const data = { api: 'api/v1', documentation: 'docs/', contract: 'openapi.json', index: 'docs/llms.txt' };
  writeJson(res, 200, { status: 'success', message: 'Tenant Application and Screening API.', data });
}

/** The file of the site for a path; the folder without its slash maps to the empty path. */
function sitePath(path: string): string | undefined {
  if (path === '/docs') return '';
  if (path === '/docs/') return 'index.html';
  // Browsers ask for it at every page that names no icon, such as an answer of the API.
  if (path === '/favicon.ico') return 'assets/favicon.svg';
  if (path === '/openapi.yaml' || path === '/openapi.json') return path.slice(1);
  return path.startsWith('/docs/') ? path.slice('/docs/'.length) : undefined;
}

function encodingFor(req: Request, { files }: Served, path: string): keyof typeof compress {
  const size = files.get(path)?.content.length ?? 0;
  const encodings = size < COMPRESS_FROM_BYTES ? [] : (['br', 'gzip'] as const);
  // One encoding at a time: among several, Express follows the client's order, and clients have none.
  return encodings.find((encoding) => req.acceptsEncodings(encoding)) ?? 'identity';
}

async function pack({ files, tryItAddress }: Served, path: string, encoding: keyof typeof compress): Promise<Packed> {
  const file = files.get(path);
  if (!file) throw new Error(`The site has no ${path}.`);
  const content = await compress[encoding](file.content);
  return {
    content,
    headers: {
      'Content-Type': file.mediaType,
      'Content-Length': String(content.length),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      Vary: 'Accept-Encoding',
      ETag: `"${contentDigest(content)}"`,
      'Cache-Control': 'public, no-cache',
      ...guarded(path, tryItAddress),
    },
  };
}

/** Browsers get a page, other clients the JSON envelope. */
function prefersPage(req: Request, res: Response): boolean {
  if (!req.path.startsWith('/docs/') || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
  res.vary('Accept');
  return wantsHtml(req);
}

function sendNotFound(req: Request, res: Response, { files, tryItAddress }: Served, path: string): void {
  const page = files.get(NOT_FOUND);
  if (!page) throw new Error(`The site has no ${NOT_FOUND}.`);
  const content = notFoundAt(page.content.toString(), path.split('/').length - 1);
  res.setHeaders(new Headers({ 'Content-Type': page.mediaType, ...guarded(NOT_FOUND, tryItAddress) }));
  res.writeHead(404, { 'Content-Length': Buffer.byteLength(content) }).end(req.method === 'HEAD' ? undefined : content);
}

function guarded(path: string, tryItAddress: string | undefined): Record<string, string> {
  return {
    'Content-Security-Policy': `${contentPolicy(path, tryItAddress)}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  };
}

function send(req: Request, res: Response, { content, headers }: Packed): void {
  res.setHeaders(new Headers(headers));
  if (req.fresh) {
    for (const name of ['Content-Type', 'Content-Length', 'Content-Encoding']) res.removeHeader(name);
    res.writeHead(304).end();
  } else {
    res.end(req.method === 'HEAD' ? undefined : content);
  }
}
