/** An offending input: dotted path and what is wrong with it (product document 2.1). */
export interface FieldError {
  field: string;
  message: string;
}

/** Whether it is an error of the system or a driver with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Input that breaks a rule. Answered with 400. */
export class ValidationError extends Error {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[], message?: string) {
    super(message ?? describeFields(fields));
    this.fields = fields;
  }
}

/** Field errors in one public sentence. */
export function describeFields(fields: readonly FieldError[]): string {
  return fields.map(({ field, message }) => `${field}: ${message}`).join(' ');
}

/** Missing, invalid or expired credentials. Answered with 401 and the challenge in `WWW-Authenticate`. */
export class Unauthenticated extends Error {
  readonly challenge: string;

  constructor(message: string, challenge: string) {
    super(message);
    this.challenge = challenge;
  }
}

/** Absent, deleted or not accessible: all three read alike. Answered with 404. */
export class NotFound extends Error {
  constructor(resource: string) {
    super(`${resource} not found.`);
  }
}

/** The state of the resource forbids it (RFC 9110, section 15.5.10). Answered with 409. */
export class Conflict extends Error {}

/** The path exists, the method does not. Answered with 405 and `Allow`. */
export class MethodNotAllowed extends Error {
  readonly allow: string;

  constructor(allow: string) {
    super(`This method is not allowed here; use ${allow}.`);
    this.allow = allow;
  }
}

/** The provider does not answer just now; nothing was decided, and the person may try again. */
export class ProviderUnavailable extends Error {}
