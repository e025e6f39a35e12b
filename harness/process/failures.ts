import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createLog, type Log } from '../../core/log.ts';
import { signal } from './signals.ts';

interface Answer {
  status: number;
  headers: Record<string, string | number | readonly string[] | undefined>;
  text: string;
}

/** Why requests failed, by their id. */
const causes = new Map<string, string>();

/** A log that records why requests failed; TEST_LOG_LEVEL also prints it. */
export function rememberingLog(): Log {
  const shown = process.env['TEST_LOG_LEVEL'];
  const write = (line: string) => {
    if (shown) process.stdout.write(line);
    signal();
    rememberCause(line);
  };
  return createLog(shown ?? 'error', { write });
}

/** Records why a request failed. @param line of the log, which may end early when its process was killed */
export function rememberCause(line: string): void {
  if (!line.includes('"err":')) return;
  try {
    const { correlation_id, err } = JSON.parse(line);
    causes.set(correlation_id, String(err.stack).split('\n    at ', 1).join());
  } catch {}
}

/** The answer and, for a failure, what the service logged about it. */
export function described({ status, headers, text }: Answer): string {
  const cause = causes.get(String(headers['x-request-id']));
  return `${status} ${text}${cause === undefined ? '' : `\nbecause of ${cause}`}`;
}

/** Collects the 5xx that a server of this process answers from now on, each with what was logged about it. */
export function failedAnswers(url: string): readonly string[] {
  const failed: string[] = [];
  const port = Number(new URL(url).port);
  subscribe('http.server.response.finish', (message) => {
    if (!(message instanceof Object && 'request' in message && 'response' in message)) return;
    const { request, response } = message;
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return;
    if (response.statusCode < 500 || request.socket.localPort !== port) return;
    const { method, url: path } = request;
    failed.push(
      `${method} ${path}: ${described({ status: response.statusCode, headers: response.getHeaders(), text: '' })}`,
    );
  });
  return failed;
}
