import { RehearsedFailure } from '../../core/errors.ts';
import type { SchemeChecks } from './authenticate.ts';

/** As `client_id` or as access token. It is neither, so no caller of the sandbox has it by accident. */
const SERVER_ERROR = 'server-error';

/** The sandbox's checks: the credential `server-error` makes any operation answer 500, whatever else is sent. */
export function withRehearsedFailures(checks: SchemeChecks): SchemeChecks {
  return Object.fromEntries(
    Object.entries(checks).map(([scheme, check]) => [
      scheme,
      (authorization, req) => {
        if (asksForFailure(authorization)) throw new RehearsedFailure();
        return check(authorization, req);
      },
    ]),
  );
}

function asksForFailure(authorization = ''): boolean {
  const [scheme = '', credential = ''] = authorization.split(/ +/);
  if (scheme.toLowerCase() === 'bearer') return credential === SERVER_ERROR;
  return Buffer.from(credential, 'base64').toString().startsWith(`${SERVER_ERROR}:`);
}
