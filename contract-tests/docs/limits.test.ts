import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TOKEN_LIFETIME_SECONDS } from '../../core/secrets/tokens.ts';
import { readWebhooks } from '../../core/settings/webhook-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { MAX_BODY_BYTES } from '../../http/edge/bounded-body.ts';
import { MAX_EVENT_BYTES } from '../../jobs/documents/forensic-result.ts';
import { ATTEMPT_TIMEOUT_MS, CONNECT_TIMEOUT_MS } from '../../providers/outbound/outbound-http.ts';

databases('none');

const connect = CONNECT_TIMEOUT_MS / 1000;
const attempt = ATTEMPT_TIMEOUT_MS / 1000;
const body = `${MAX_BODY_BYTES / 1024} KiB`;
const token = TOKEN_LIFETIME_SECONDS === 3600 ? 'one hour' : `${TOKEN_LIFETIME_SECONDS} seconds`;
const waits = (hours: string, minutes: string, seconds: string) => {
  const inWords = (ms: number) => {
    if (ms >= 3_600_000) return `${ms / 3_600_000} ${hours}`;
    return ms >= 60_000 ? `${ms / 60_000} ${minutes}` : `${ms / 1000} ${seconds}`;
  };
  return new Intl.ListFormat('en-GB').format(readWebhooks({}, []).retryDelaysMs.map(inWords));
};
const short = waits('h', 'min', 's');
const long = waits('hours', 'minutes', 'seconds');

/** Which numbers of the code the docs state, in their units. */
const stated: Record<string, string[]> = {
  'openapi.yaml': [`${attempt} seconds`, token, `${MAX_EVENT_BYTES / 1024} KiB`],
  'docs/open-points.md': [
    short,
    body,
    `${attempt} s in all`,
    `${connect} s to connect`,
    `${MAX_EVENT_BYTES / 1024} KiB`,
  ],
  'docs/guides/errors.md': [body, token],
  'docs/guides/first-call.md': [token],
  'docs/guides/limits.md': [
    ...[body, `${attempt} seconds`, `${connect} seconds`, `${MAX_EVENT_BYTES / 1024} KiB`, short],
  ],
  'docs/guides/going-live.md': [`${attempt} seconds`],
  'docs/guides/webhooks.md': [`${attempt} seconds`, `${connect} seconds`, `${MAX_EVENT_BYTES / 1024} KiB`, long],
};

describe('limits stated by the contract and the guides', () => {
  for (const [file, numbers] of Object.entries(stated))
    for (const number of numbers)
      it(`match the code: ${number} in ${file}`, () => {
        const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
        expect(text.replaceAll(/\s+/g, ' ')).to.include(number);
      });
});
