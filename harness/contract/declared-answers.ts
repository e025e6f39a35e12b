import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basePath, operationOf } from './contract.ts';

/** For a caller that has too much under way: HTTP itself, outside the contract. */
const TOO_MUCH = 503;

const seen: string[] = [];

/**
 * Watches every answer of every server in this process. Tests check the bodies that they read; this catches an undeclared status that a
 * test ignores.
 */
export function watchAnswers(): void {
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method = '', url = '' } = request;
    const operation = url.startsWith(basePath) ? operationOf(method, url.slice(basePath.length)) : undefined;
    if (operation && response.statusCode !== TOO_MUCH && !(response.statusCode in operation.responses))
      seen.push(`${operation.operationId} answered ${response.statusCode} to ${method} ${url}`);
  });
}

/** Reports undeclared answers seen since the last call. */
export function undeclared(): Error | undefined {
  const answers = seen.splice(0);
  return answers.length > 0 ? new Error(`The contract does not declare:\n${answers.join('\n')}`) : undefined;
}
