import { fieldMessage, REFUSALS, refusedMethod } from './messages.ts';

/** An invalid input: its dotted path and the fault (product document 2.1). */
export interface FieldError {
  field: string;
  message: string;
}

/** The code of a system or driver error, such as `ENOENT`; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The code for the end of a message, such as ` (ENOENT)`; empty without one. */
export function codeInBrackets(error: unknown): string {
  const code = codeOf(error);
  return code === '' ? '' : ` (${code})`;
}

export function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

/** For `catch`: handles one kind of error and rethrows every other error. */
export function on<Kind extends Error, Answer>(
  kind: abstract new (...values: never[]) => Kind,
  answer: (error: Kind) => Answer,
): (error: unknown) => Answer {
  return (error) => {
    if (error instanceof kind) return answer(error);
    throw error;
  };
}

/** Carries the caller's message. It has no stack: none is logged, and capturing one is the largest cost of a refusal. */
class Refusal extends Error {
  constructor(message?: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Invalid input. Answered with 400. */
export class ValidationError extends Refusal {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[], message?: string) {
    super(message ?? describeFields(fields));
    this.fields = fields;
  }
}

/** For text that no row can hold. */
export function unstorable(field: string): ValidationError {
  return new ValidationError([{ field, message: `${fieldMessage('storableText')}.` }]);
}

/** Field errors in one public sentence. */
export function describeFields(fields: readonly FieldError[]): string {
  return fields.map(({ field, message }) => `${field}: ${message}`).join(' ');
}

/** Missing, invalid or expired credentials. Answered with 401 and the challenge in `WWW-Authenticate`. */
export class Unauthenticated extends Refusal {
  readonly challenge: string;

  constructor(message: string, challenge: string) {
    super(message);
    this.challenge = challenge;
  }
}

/** Absent, deleted or not accessible: callers cannot tell which. Answered with 404. */
export class NotFound extends Refusal {
  constructor(resource: string, message = `${resource} not found.`) {
    super(message);
  }
}

/** No operation or page has the path. Answered with 404, which reveals nothing about ids. */
export class UnknownPath extends NotFound {
  constructor() {
    super('Path', REFUSALS.unknownPath);
  }
}

/** The state of the resource forbids it (RFC 9110, section 15.5.10). Answered with 409. */
export class Conflict extends Refusal {}

/** The path exists, the method does not. Answered with 405 and `Allow`. */
export class MethodNotAllowed extends Refusal {
  readonly allow: string;

  constructor(allow: string) {
    super(refusedMethod(allow));
    this.allow = allow;
  }
}

/** A caller of the sandbox asked for an unexpected failure. Answered with 500, and no fault of ours. */
export class RehearsedFailure extends Refusal {}

/** The provider is unavailable: nothing was decided, and a retry may succeed. */
export class ProviderUnavailable extends Error {}

/** The caller's party has too much under way. Answered with 503 and `Retry-After` (RFC 9110, section 15.6.4). */
export class Overloaded extends Refusal {
  readonly retryAfterSeconds = 1;

  constructor() {
    super(REFUSALS.overloaded);
  }
}
