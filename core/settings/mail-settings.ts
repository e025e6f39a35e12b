import { decodedUri, oneLine } from '../text.ts';
import { valuesOf } from './values.ts';

/** How invitations are sent, how many, and how long their links are valid. */
export type MailSettings = {
  sender: MailSenderSettings;
  invitationDays: number;
  /** How many mails one API key sends to one address within 24 hours. */
  dailyMailsPerAddress: number;
} & ({ provider: 'sandbox' } | { provider: 'smtp'; server: SmtpSettings });

export interface MailAddress {
  /** The display name, possibly empty. */
  name: string;
  address: string;
}

export interface MailSenderSettings {
  from: MailAddress;
  /** Defaults to the sender. */
  replyTo: MailAddress | undefined;
}

export interface SmtpSettings {
  host: string;
  port: number;
  /** `starttls` is mandatory, not opportunistic; `none` is for local servers. */
  tls: 'starttls' | 'implicit' | 'none';
  login: { user: string; password: string } | undefined;
  /** The size of the connection pool. */
  connections: number;
}

const SANDBOX_SENDER = 'Tenant Screening <no-reply@tenant-screening.example>';
const OF_SMTP = ['SMTP_URL', 'SMTP_USER', 'SMTP_PASSWORD', 'SMTP_TLS', 'SMTP_CONNECTIONS'];
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,253}$)[a-z\d-]+(\.[a-z\d-]+)*$/i;
const HOST = /^([a-z\d.-]+|\[[a-f\d:.]+\])$/i;
const NO_SERVER: SmtpSettings = { host: '', port: 0, tls: 'starttls', login: undefined, connections: 1 };

/** Appends problems to `faults`, which never show the server's address or a password. */
export function readMail(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): MailSettings {
  const provider = env['MAIL_PROVIDER'] || 'sandbox';
  const isReal = provider === 'smtp';
  if (!isReal && provider !== 'sandbox') faults.push(`MAIL_PROVIDER is "${provider}"; use one of sandbox, smtp.`);
  if (isReal && !env['MAIL_FROM']) faults.push('MAIL_FROM is missing; MAIL_PROVIDER=smtp needs it.');
  const replyTo = env['MAIL_REPLY_TO'];
  const common = {
    sender: {
      from: readAddress('MAIL_FROM', env['MAIL_FROM'] || SANDBOX_SENDER, faults),
      replyTo: replyTo ? readAddress('MAIL_REPLY_TO', replyTo, faults) : undefined,
    },
    invitationDays: valuesOf(env, faults).wholeNumber('INVITATION_DAYS', 30, 365),
    dailyMailsPerAddress: valuesOf(env, faults).wholeNumber('DAILY_MAILS_PER_ADDRESS', 5, 1000),
  };
  if (isReal) return { ...common, provider, server: readServer(env, mode, faults) };
  const unused = provider === 'sandbox' ? OF_SMTP.filter((name) => env[name]) : [];
  faults.push(...unused.map((name) => `${name} is set, but MAIL_PROVIDER is sandbox; use MAIL_PROVIDER=smtp.`));
  return { ...common, provider: 'sandbox' };
}

/** Parses `Name <address>` or a bare address. */
function readAddress(name: string, text: string, faults: string[]): MailAddress {
  const [, shown = '', bracketed] = /^([^<]*)<([^<>]*)>$/.exec(text) ?? [];
  const address = bracketed ?? text;
  const person = shown.trimEnd().replace(/^"(.*)"$/, '$1');
  // A line break would inject a header.
  if (!ADDRESS.test(address) || text !== oneLine(text) || /["<>]/.test(person))
    faults.push(`${name} must be an address such as Lettings <lettings@agency.example>, in one line.`);
  return { name: person, address };
}

function readServer(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): SmtpSettings {
  const url = URL.parse(env['SMTP_URL'] ?? '');
  const isBare = url && /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  if (!url || !isBare || !/^smtps?:$/.test(url.protocol) || !HOST.test(url.hostname)) {
    const fault = env['SMTP_URL'] ? 'must be' : 'is missing; MAIL_PROVIDER=smtp needs it:';
    faults.push(`SMTP_URL ${fault} smtp://<host>:<port>, which demands STARTTLS, or smtps://<host>:<port>.`);
    return NO_SERVER;
  }
  const isImplicit = url.protocol === 'smtps:';
  const tls = readTls(env, mode, isImplicit, faults);
  const login = readLogin(env, url, faults);
  if (tls === 'none' && login) faults.push('SMTP_TLS is none; no password is sent without TLS.');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls,
    login,
    connections: valuesOf(env, faults).wholeNumber('SMTP_CONNECTIONS', 3, 4),
  };
}

function readTls(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  isImplicit: boolean,
  faults: string[],
): SmtpSettings['tls'] {
  const text = valuesOf(env, faults).oneOf('SMTP_TLS', ['required', 'none'], 'required');
  if (text === 'none' && mode === 'live') faults.push('SMTP_TLS is none; live sends nothing without TLS.');
  if (text === 'none' && isImplicit) faults.push('SMTP_TLS is none, but SMTP_URL begins with smtps.');
  if (isImplicit) return 'implicit';
  return text === 'none' ? 'none' : 'starttls';
}

/** Credentials from the URL, or from variables, where a password needs no escaping. */
function readLogin(env: NodeJS.ProcessEnv, url: URL, faults: string[]): SmtpSettings['login'] {
  const { SMTP_USER: user = '', SMTP_PASSWORD: password = '' } = env;
  const isInUrl = url.username !== '' || url.password !== '';
  if (isInUrl && (user || password))
    faults.push('SMTP_USER is set, but SMTP_URL names a user too; leave the user and the password out of it.');
  const login = isInUrl ? { user: decodedUri(url.username), password: decodedUri(url.password) } : { user, password };
  if (login.user === undefined || login.password === undefined) {
    faults.push('SMTP_URL holds a user or password with a % that is none; use SMTP_USER and SMTP_PASSWORD.');
    return undefined;
  }
  if (login.user && !login.password) faults.push('SMTP_PASSWORD is missing; the user of the mail server needs it.');
  if (login.password && !login.user) faults.push('SMTP_USER is missing; SMTP_PASSWORD needs it.');
  return login.user ? { user: login.user, password: login.password } : undefined;
}
