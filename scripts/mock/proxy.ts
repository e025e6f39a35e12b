import { basePath } from '../../contract-tests/harness/contract.ts';
import { type AskPrism, loadPrism } from './prism.ts';
import { describe } from './refusals.ts';
import { type Incoming, type Outgoing, type RunningServer, serve } from './server.ts';

/** Where a request or its answer broke the contract. */
export interface Finding {
  /** Method and path. */
  where: string;
  status: number;
  side: 'request' | 'response';
  what: string;
}

/** These are about the one connection they came by (RFC 9110, section 7.6.1). */
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'expect', 'upgrade'];

/**
 * Prism at this port before the service with this base address. Everything passes unchanged; each breach of the contract
 * is told to `report` and, in the header `sl-violations`, to the caller. @throws when the port is taken
 */
export async function startProxy(
  port: number,
  baseAddress: string,
  report: (finding: Finding) => void,
): Promise<RunningServer> {
  const ask = await loadPrism(baseAddress.replace(/\/$/, '').slice(0, -basePath.length));
  return serve(port, (request) => pass(ask, request, report));
}

async function pass(ask: AskPrism, request: Incoming, report: (finding: Finding) => void): Promise<Outgoing> {
  const { method, target, text } = request;
  const kept = Object.entries(request.headers).filter(([name]) => !CONNECTION_HEADERS.includes(name));
  const body = text === '' ? undefined : jsonOrText(text);
  const answer = await ask({ method, target, headers: Object.fromEntries(kept), body });
  const { status, headers, requestViolations, responseViolations } = answer;
  const found = (side: Finding['side']) => (violation: (typeof requestViolations)[number]) => ({
    where: `${method} ${target}`,
    status,
    side,
    what: describe(violation),
  });
  const findings = [...requestViolations.map(found('request')), ...responseViolations.map(found('response'))];
  for (const finding of findings) report(finding);
  const told = findings.length > 0 ? { 'sl-violations': headerText(findings) } : {};
  return { status, headers: { ...headers, ...told }, body: answer.body };
}

/** Names of fields may hold what no header can. */
function headerText(findings: Finding[]): string {
  const [first, ...rest] = findings.map(({ side, what }) => `${side} ${what}`);
  return `${first}${rest.length > 0 ? ` and ${rest.length} more` : ''}`.replaceAll(/[^ -~]/g, '?');
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
