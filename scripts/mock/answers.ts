import { namedExamples } from '../../contract-tests/examples/named-examples.ts';
import { basePath, type ContractOperation, operationOf } from '../../contract-tests/harness/contract.ts';
import { sendEvents } from './events.ts';
import { type AskPrism, loadPrism, type Preference } from './prism.ts';
import { refusalOf } from './refusals.ts';
import { type Incoming, type Outgoing, type RunningServer, serve } from './server.ts';

type Report = (undelivered: string) => void;

/**
 * Prism as a mock at this port, refusing what the contract refuses in the words of the service. Events that cannot be
 * delivered are told to `report`. @throws when the port is taken
 */
export async function startMock(port: number, report: Report = () => {}): Promise<RunningServer> {
  const ask = await loadPrism();
  return serve(port, (request) => answer(ask, request, report));
}

async function answer(ask: AskPrism, request: Incoming, report: Report): Promise<Outgoing> {
  const path = request.target.startsWith(`${basePath}/`) ? request.target.slice(basePath.length) : '';
  const operation = operationOf(request.method, path);
  if (!operation) return refuseTarget(path);
  if (!isDecodable(path)) return refuse(400, 'The path holds a malformed escape sequence.');
  const preference = preferenceOf(request.headers['prefer']);
  const absent = absentState(operation, preference);
  if (absent) return refuse(400, absent);
  const { body, fault } = readBody(request);
  const { status, headers, body: shown, requestViolations } = await ask({ ...request, body }, preference);
  if (status === 200 && operation.operationId === 'createWebhook')
    sendEvents(request.text).then((failures) => failures.forEach(report));
  if (status !== 400 || preference.code === 400) return { status, headers, body: shown };
  if (fault) return refuse(400, fault);
  const listsErrors = request.target.includes('/property-management/');
  return { status, headers, body: refusalOf(requestViolations, listsErrors) };
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Outgoing {
  return { status, headers, body: { status: 'error', message } };
}

/** As the service does: a path of no operation is not found, one of another method is not allowed. */
function refuseTarget(path: string): Outgoing {
  const methods = ['DELETE', 'GET', 'PATCH', 'POST'].filter((method) => operationOf(method, path));
  if (methods.length === 0) return refuse(404, `Resource not found. Operations are below ${basePath}.`);
  const allow = methods.join(', ');
  return refuse(405, `This method is not allowed here; use ${allow}.`, { Allow: allow });
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** `code=404, example=notFound`, in any order (RFC 7240). */
function preferenceOf(header = ''): Preference {
  const value = (name: string) => new RegExp(`(?:^|[,;\\s])${name}="?([\\w-]+)`, 'i').exec(header)?.[1];
  const [code, example] = [value('code'), value('example')];
  return { ...(code ? { code: Number(code) } : {}), ...(example ? { example } : {}) };
}

/** Tells of a state that cannot be shown what can. */
function absentState({ operationId, responses }: ContractOperation, { code = 200, example }: Preference) {
  if (!(code in responses))
    return `Prefer: ${operationId} has no status ${code}; it has ${Object.keys(responses).join(', ')}.`;
  const names = namedExamples
    .filter(({ operation, status }) => operation.operationId === operationId && status === code)
    .map(({ name }) => name);
  if (example === undefined || names.includes(example)) return undefined;
  return `Prefer: ${operationId} ${code} has no example ${example}; it has ${names.join(', ')}.`;
}

/** The body as JSON, or what the service would say of it. */
function readBody({ method, headers, text }: Incoming): { body?: unknown; fault?: string } {
  if (method === 'GET' || method === 'DELETE') return {};
  if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? ''))
    return { fault: 'Send the body as JSON, with Content-Type: application/json.' };
  if (text === '') return {};
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { fault: 'The body is not well-formed JSON in UTF-8.' };
  }
}
