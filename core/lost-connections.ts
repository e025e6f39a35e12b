import { codeOf } from './errors.ts';

/**
 * How Node, pg and Postgres name a connection that could not be opened, or ended before an answer: by code or message. Nothing is known
 * about the effect of the statement that was under way.
 */
const LOST_CODE =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|ENOTFOUND|08...|57P0.|53300|25P0[34])$/;
const LOST_MESSAGE = /[Cc]onnection (?:terminated|ended)|Client (?:has encountered a connection error|was closed)/;

/** How pg, Postgres and the pool name an answer, a connection or a place in the pool that did not come in time. */
const LATE_CODE = '57014';
const LATE_MESSAGE =
  /timeout expired|timeout exceeded when trying to connect|operation timed out for an unknown reason/;
const UNANSWERED_MESSAGE = /Query read timeout/;

/** No connection or place in the pool came in time, or the database ended the statement: nothing is kept of it. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codeOf(error) === LATE_CODE || error.name === 'KnexTimeoutError' || LATE_MESSAGE.test(error.message);
}

/** No answer came in time. Nothing is known about the effect of the statement, which may be a COMMIT. */
function isUnanswered(error: Error): boolean {
  return UNANSWERED_MESSAGE.test(error.message);
}

export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && (LOST_CODE.test(codeOf(error)) || LOST_MESSAGE.test(error.message));
}

/** Whether an error, or its cause, shows that a database or another peer is unavailable: its connection is lost, or its answer is late. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isLate(error) || isUnanswered(error) || isConnectionLost(error) || isUnavailable(error.cause);
}
