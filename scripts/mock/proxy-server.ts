import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';
import { basePath } from '../../harness/contract/contract.ts';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';
import { loadPrism, type Violation } from './prism.ts';
import { allowBrowsers, messageOf } from './server.ts';

/** Where a request or its response broke the contract. */
export interface Finding extends Violation {
  /** Method and path. */
  where: string;
  status: number;
}

type Headers = Record<string, string | string[] | undefined>;

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and headers about CORS and compression. */
const NOT_PASSED = /^(connection|keep-alive|transfer-encoding|expect|upgrade|host|accept-encoding|access-control-.*)$/;

/**
 * A proxy at this port for the service with this base address. Everything passes unchanged; Prism reports each breach of the contract
 * to `report` and to the caller in the header `sl-violations`. @throws when the port is taken
 */
export async function startProxy(
  port: number,
  baseAddress: string,
  report: (finding: Finding) => void,
): Promise<RunningServer> {
  const { origin, pathname } = new URL(baseAddress);
  const prefix = pathname.replace(/\/$/, '').slice(0, -basePath.length);
  const [prism, service] = [await loadPrism(), new Pool(origin)];
  const pass = async (req: IncomingMessage, res: ServerResponse) => {
    const { method = 'GET', url: target = '/' } = req;
    const sent = await buffer(req);
    const headers = passedOn({ ...req.headersDistinct, 'content-length': req.headers['content-length'] });
    const body = sent.length > 0 ? sent : null;
    const answer = await service.request({ method, path: prefix + target, headers, body });
    const { statusCode: status } = answer;
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const given = { method, target, headers: req.headers, body: sent };
    const violations = await prism.check(given, { status, headers: answer.headers, body: bytes });
    const findings = violations.map((violation) => ({ where: `${method} ${target}`, status, ...violation }));
    for (const finding of findings) report(finding);
    if (findings.length > 0) res.setHeader('sl-violations', headerText(findings));
    res.writeHead(status, passedOn(answer.headers)).end(bytes);
  };
  const server = createServer((req, res) =>
    allowBrowsers(req, res, () => {
      pass(req, res).catch((error) => {
        const message = `The service cannot be reached: ${messageOf(error)}`;
        res.writeHead(502, { 'Content-Type': 'application/json' }).end(JSON.stringify({ status: 'error', message }));
      });
    }),
  );
  const running = await listen(server, port);
  return { url: running.url, stop: () => running.stop().then(() => service.close()) };
}

function passedOn(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED.test(name)));
}

/** Field names may contain characters that are invalid in a header. */
function headerText(findings: Finding[]): string {
  const [first, ...rest] = findings.map(({ side, what }) => `${side} ${what}`);
  return `${first}${rest.length > 0 ? ` and ${rest.length} more` : ''}`.replaceAll(/[^ -~]/g, '?');
}
