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

/** Where the docs state a number from the code, and the surrounding wording. */
const told: Record<string, string[]> = {
  'openapi.yaml': [
    `within ${attempt} seconds acknowledges a delivery`,
    `The token is valid for ${token}.`,
    `longer than ${MAX_EVENT_BYTES / 1024} KiB the least important parts are omitted`,
  ],
  'docs/open-points.md': [
    `after ${short} |`,
    `at most ${body}, unpacked`,
    `${attempt} s in all, ${connect} s to connect`,
    `found, at most ${MAX_EVENT_BYTES / 1024} KiB`,
  ],
  'docs/guides/errors.md': [`A body has at most ${body}.`, `A token lives for ${token}.`],
  'docs/guides/first-call.md': [`It lives for ${token}.`],
  'docs/guides/going-live.md': [`answers within ${attempt} seconds`],
  'docs/guides/webhooks.md': [
    `You have ${attempt} seconds.`,
    `which has at most ${MAX_EVENT_BYTES / 1024} KiB`,
    `limit: '${MAX_EVENT_BYTES / 1024}kb'`,
    `2xx within ${attempt} seconds`,
    `no connection within ${connect} seconds, or no answer within ${attempt} |`,
    `after about ${long}`,
  ],
};

describe('limits stated by the contract and the guides', () => {
  for (const [file, sentences] of Object.entries(told))
    for (const sentence of sentences)
      it(`match the code: ${file} says "${sentence}"`, () => {
        const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
        expect(text.replaceAll(/\s+/g, ' ')).to.include(sentence);
      });
});
