import { createLog, type Log } from '../../core/log.ts';
import { signal } from './signals.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Why requests failed, by their id. */
const causes = new Map<string, string>();

/** A log that records why requests failed; TEST_LOG_LEVEL also prints it. */
export function rememberingLog(): Log {
  const shown = process.env['TEST_LOG_LEVEL'];
  const write = (line: string) => {
    if (shown) process.stdout.write(line);
    const { correlation_id, err } = JSON.parse(line);
    signal();
    if (err) causes.set(correlation_id, String(err.stack).split('\n    at ', 1).join());
  };
  return createLog(shown ?? 'error', { write });
}

/** The answer and, for a failure, what the service logged about it. */
export function described({ status, headers, text }: Answer): string {
  const cause = causes.get(String(headers['x-request-id']));
  return `${status} ${text}${cause === undefined ? '' : `\nbecause of ${cause}`}`;
}
