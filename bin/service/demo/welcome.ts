import { relative } from 'node:path';
import { styleText } from 'node:util';
import type { Config } from '../../../core/settings/config.ts';
import type { DemoCredentials } from './demo-credentials.ts';

/** The text shown when the sandbox is up: its addresses, how to sign in to the desk (once, within twelve hours), what to paste next. */
export function welcome(
  url: string,
  config: Pick<Config, 'dataDir' | 'database' | 'mail'>,
  { demo, desk }: { demo: DemoCredentials | undefined; desk: string | undefined },
): string {
  const strong = (text: string) => styleText('bold', text);
  const faint = (text: string) => styleText('dim', text);
  const row = (label: string, value: string) => `  ${faint(label.padEnd(14))}${value}`;
  const folder = shown(config.dataDir);
  const rows = [
    row('Base address', strong(`${url}/api/v1`)),
    row('Documentation', `${url}/docs/`),
    row('Desk', desk ? 'sign in once with this link, within twelve hours:' : `${url}/desk/`),
    ...(desk ? [strong(desk)] : []),
    row('Database', config.database.dialect === 'sqlite' ? shown(config.database.file) : 'Postgres'),
    row('Mailbox', mailbox(url, config)),
  ];
  const next = demo
    ? [
        row('Client id', demo.CLIENT_ID),
        row('Client secret', demo.CLIENT_SECRET),
        '',
        `  ${faint('Paste this in another terminal to get a token:')}`,
        '',
        `  . '${folder}/demo.env'`,
        `  curl -sw '\\n' -X POST -u "$CLIENT_ID:$CLIENT_SECRET" \\`,
        '    "$BASE_URL/authenticate/token"',
      ]
    : [
        '',
        `  ${faint('This database has its own data. Create a key with:')}`,
        '',
        '  npm run admin -- key create --help',
      ];
  const title = `${styleText(['bold', 'green'], '●')} ${strong('Tenant Screening')} ${faint('is running in sandbox mode: nothing here is real.')}`;
  return ['', `  ${title}`, '', ...rows, ...next, '', `  ${faint('Ctrl+C stops it. The log follows.')}`, ''].join('\n');
}

/** The mailbox page requires an API key. */
function mailbox(url: string, { mail }: Pick<Config, 'mail'>): string {
  return mail.provider === 'sandbox' ? `${url}/mailbox (with the credentials below)` : 'none: mails are sent';
}

/** A path relative to the current folder where that is shorter. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near || '.';
}
