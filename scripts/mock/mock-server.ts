import type { IHttpResponse } from '@stoplight/prism-http';
import type { RequestHandler, Response } from 'express';
import { readContract } from '../../core/contract.ts';
import { UnknownPath } from '../../core/errors.ts';
import { createLog } from '../../core/log.ts';
import { basePath, operationById, operationOf } from '../../harness/contract/contract.ts';
import type { NamedExample } from '../../harness/contract/named-examples.ts';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';
import { bindOperations } from '../../http/api/bind.ts';
import { validateRequests } from '../../http/api/validation.ts';
import { admission } from '../../http/edge/admission.ts';
import { createEdgeApp } from '../../http/edge/edge-app.ts';
import { onError } from '../../http/edge/on-error.ts';
import { createApiServer } from '../../http/edge/server.ts';
import { writeJson } from '../../http/edge/write-json.ts';
import { sendEvents } from './events.ts';
import { mockPages, withLinksTo } from './pages.ts';
import { preferredExample } from './preference.ts';
import { loadPrism, type Prism } from './prism.ts';
import { allowBrowsers } from './server.ts';

/** The terminal's view of a request. */
export interface Watch {
  undelivered(event: string): void;
  answered(request: { method: string; target: string; status: number; example: string | undefined }): void;
}

/**
 * Prism as a mock at this port, behind the service's own edge, so both refuse the same requests. `watch` receives
 * requests and of events that could not be delivered. @throws when the port is taken
 */
export async function startMock(port: number, watch?: Watch): Promise<RunningServer> {
  const [contract, prism] = [readContract(), await loadPrism()];
  const log = createLog('error');
  const app = createEdgeApp(admission({ log, trustedProxies: [] }));
  app.use(tell(watch), allowBrowsers, choose(prism));
  const anyone = () => ({ caller: () => Promise.resolve({ apiKeyId: '' }) });
  bindOperations(app, {
    contract,
    checks: { accessToken: anyone, clientCredentials: anyone },
    // Responds instead of the handlers, after validation.
    validate: (operation) => [...validateRequests(operation), succeed(prism, watch)],
    createContext: () => {
      throw new Error('The mock has no handlers.');
    },
  });
  app.use(mockPages, () => {
    throw new UnknownPath();
  });
  app.use(onError(log));
  return listen(createApiServer(app, log), port);
}

/** Once each response is sent; `write` notes the example. */
function tell(watch: Watch | undefined): RequestHandler {
  return ({ method, originalUrl }, res, next) => {
    res.on('finish', () =>
      watch?.answered({ method, target: originalUrl, status: res.statusCode, example: res.locals['example'] }),
    );
    next();
  };
}

/** Selects the example. A requested error is shown before any validation. */
function choose(prism: Prism): RequestHandler {
  return async (req, res, next) => {
    const operation = req.url.startsWith(basePath) && operationOf(req.method, req.url.slice(basePath.length));
    if (!operation) return next();
    const example = preferredExample(operation, req.get('Prefer'));
    const answer = await prism.show(example, req.get('Authorization'));
    if (answer.statusCode === 200) next();
    else write(res, example, answer);
  };
}

/** Writes the success example, with links to this mock's pages. */
function succeed(prism: Prism, watch: Watch | undefined): RequestHandler {
  return async (req, res) => {
    const operation = operationById(res.locals['operation']);
    const isWebhook = operation.operationId === 'createWebhook';
    const isUnsigned = isWebhook && req.body.secret === undefined;
    const example = preferredExample(operation, req.get('Prefer') ?? (isUnsigned ? 'example=unsigned' : ''));
    const answer = await prism.show(example, req.get('Authorization'));
    if (isWebhook)
      sendEvents(req.body).then((failures) => {
        for (const failure of failures) watch?.undelivered(failure);
      });
    const origin = `${req.protocol}://${req.get('Host')}`;
    write(res, example, { ...answer, body: withLinksTo(origin, answer.body, req.body?.redirect_url) });
  };
}

/** Keeps the request's own X-Request-Id. */
function write(res: Response, { status, name, headers }: NamedExample, answer: IHttpResponse): void {
  if (answer.statusCode === status) res.locals['example'] = name;
  const declared = [
    ...Object.entries(answer.statusCode === status ? headers : {}),
    ...Object.entries(answer.headers ?? {}),
  ];
  for (const [name, value] of declared) if (!res.hasHeader(name)) res.setHeader(name, String(value));
  writeJson(res, answer.statusCode, answer.body);
}
