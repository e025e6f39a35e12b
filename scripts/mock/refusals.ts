/** A finding of Prism, as much of it as is used here. */
export interface Violation {
  message: string;
  /** Where it is, beginning with `body`, `path`, `query` or `header`. */
  path?: (string | number)[] | undefined;
  code?: string | number | undefined;
}

interface Fault {
  field: string;
  message: string;
}

/** The body with which the service refuses such a request: Prism's findings in the service's words. */
export function refusalOf(violations: readonly Violation[], listsErrors: boolean): object {
  const errors = violations.map(faultOf);
  const message = errors.map((fault) => `${fault.field}: ${fault.message}`).join(' ');
  return { status: 'error', message, ...(listsErrors ? { errors } : {}) };
}

function faultOf({ message, path = [], code }: Violation): Fault {
  const [, ...steps] = path.map(String);
  if (code === 'required') {
    const missing = /'([^']+)'$/.exec(message)?.[1];
    return { field: [...steps, ...(missing ? [missing] : [])].join('.') || 'body', message: 'is required.' };
  }
  if (code === 'additionalProperties') {
    const surplus = /found '([^']+)'$/.exec(message)?.[1] ?? '';
    return { field: [...steps, surplus].join('.'), message: 'is not a field of this request.' };
  }
  return { field: steps.join('.') || 'body', message: `${/must .*$/.exec(message)?.[0] ?? message}.` };
}

/** A violation as a person reads it in the terminal. */
export function describe({ message, path = [] }: Violation): string {
  return `${path.join('.')} ${message}`.trim();
}
