import { DAY_MS } from '../time.ts';
import { flag, oneOf, optional, setting, text, wholeNumber } from './setting.ts';

export const processSettings = {
  MODE: setting(oneOf('sandbox', 'live'), 'sandbox', '`live` requires [real providers and your own keys](#live-mode).'),
  HOST: setting(text, '127.0.0.1', 'Address of the API; `0.0.0.0`: all.'),
  PORT: setting(wholeNumber(0, 65_535), 3000, 'Port of the API; `0`: any free port.'),
  DATA_DIR: setting(text, 'data', "Encrypted documents; the sandbox's mailbox and keys."),
  MIGRATE: optional(
    flag,
    'Migrate at start. `false`: refuse an outdated schema until [`db migrate`](upgrade.md) has run.',
    '`true`, live `false`',
  ),
  RUN_WORKERS: setting(flag, true, '`false`: background jobs need `npm run worker`.'),
  LOG_LEVEL: setting(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least severe level that is logged.',
  ),
  VERIFICATION_MINUTES: setting(
    wholeNumber(5, 30 * 24 * 60),
    24 * 60,
    'An unfinished verification expires after this long.',
  ),
  ONBOARDING_VALID_DAYS: optional(wholeNumber(1, 3650), 'A completed profile becomes outdated after this long.'),
  SANDBOX_DELAY_MS: setting(
    wholeNumber(0, DAY_MS),
    1000,
    'Sandbox only: duration of a simulated verification, and delay before an analysis.',
  ),
};
