import { writtenFault } from '../addresses/written-fault.ts';
import { decodedUri, oneLine } from '../text.ts';
import { oneOf, optional, readerOf, setting, text, wholeNumber } from './setting.ts';

/** How invitations are sent, how many, and how long their links are valid. */
export type MailSettings = {
  sender: MailSenderSettings;
  /** Who is mailed when a condition becomes a problem, and when it is over; undefined: no one. */
  operator: string | undefined;
  invitationDays: number;
  /** How many mails one API key sends to one mailbox within 24 hours, and in all on one day (UTC). */
  daily: { perAddress: number; perKey: number };
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
  /** The fully qualified name by which the service introduces itself (EHLO); undefined: this machine's name. */
  name: string | undefined;
}

const SANDBOX_SENDER = 'Tenant Screening <no-reply@tenant-screening.example>';
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,253}$)[a-z\d-]+(\.[a-z\d-]+)*$/i;
const HOST = /^([a-z\d.-]+|\[[a-f\d:.]+\])$/i;
/** A name with a dot that is no IP address. */
const QUALIFIED = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;
const NO_SERVER: SmtpSettings = {
  host: '',
  port: 0,
  tls: 'starttls',
  login: undefined,
  connections: 1,
  name: undefined,
};

export const invitationSettings = {
  MAIL_PROVIDER: setting(oneOf('sandbox', 'smtp'), 'sandbox', 'The [local mailbox](#mail), or a mail server.'),
  DAILY_MAILS_PER_ADDRESS: setting(
    wholeNumber(1, 1000),
    5,
    'Invitations per API key and address in 24 hours; `a+x@d` counts as `a@d`. More wait. Also of a landlord to its desk, which are refused.',
  ),
  DAILY_MAILS_PER_KEY: setting(
    wholeNumber(1, 1_000_000),
    5000,
    'Invitations per API key and day (UTC). More [wait](#daily-limits).',
  ),
  INVITATION_DAYS: setting(wholeNumber(1, 365), 30, 'Lifetime of an invitation link.'),
};

export const senderSettings = {
  MAIL_FROM: optional(text, 'Sender: `Name <address>` or an address. Its domain should have SPF and DKIM.'),
  MAIL_REPLY_TO: optional(text, 'Address for replies.', 'the sender'),
  OPERATOR_MAIL: optional(
    text,
    'Address that is mailed when a [condition](troubleshooting.md#conditions) becomes a problem, and when it is over.',
  ),
};

export const smtpSettings = {
  SMTP_URL: optional(
    text,
    '`smtp://<host>:<port>` requires STARTTLS (default port 587); `smtps://` is implicit TLS (465).',
  ),
  SMTP_USER: optional(text, 'Login, verbatim; or percent-encoded in `SMTP_URL`.'),
  SMTP_PASSWORD: optional(text, 'Password of `SMTP_USER`.'),
  SMTP_TLS: setting(oneOf('required', 'none'), 'required', '`none`: sandbox only, for a local server without login.'),
  SMTP_NAME: optional(
    text,
    'Name in EHLO, such as `screening.agency.example`. Many relays require a fully qualified one.',
    'the host of `PUBLIC_URL` or the domain of `MAIL_FROM`',
  ),
  SMTP_CONNECTIONS: setting(wholeNumber(1, 4), 3, 'Open connections per process, shared fairly among API keys.'),
};

/** Appends problems to `faults`, which never show the server's address or a password. */
export function readMail(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): MailSettings {
  const read = readerOf({ ...invitationSettings, ...senderSettings }, env, faults);
  const provider = read('MAIL_PROVIDER');
  const [from, replyTo, operator] = [read('MAIL_FROM'), read('MAIL_REPLY_TO'), read('OPERATOR_MAIL')];
  const isReal = provider === 'smtp';
  if (isReal && !from) faults.push('MAIL_FROM is missing; MAIL_PROVIDER=smtp needs it.');
  const common = {
    sender: {
      from: readAddress('MAIL_FROM', from ?? SANDBOX_SENDER, faults),
      replyTo: replyTo ? readAddress('MAIL_REPLY_TO', replyTo, faults) : undefined,
    },
    operator: operator ? readAddress('OPERATOR_MAIL', operator, faults).address : undefined,
    invitationDays: read('INVITATION_DAYS'),
    daily: { perAddress: read('DAILY_MAILS_PER_ADDRESS'), perKey: read('DAILY_MAILS_PER_KEY') },
  };
  if (isReal) return { ...common, provider, server: readServer(env, mode, faults, common.sender.from) };
  // An unknown provider is one fault, whatever else is set.
  const isSandbox = (env['MAIL_PROVIDER'] || provider) === provider;
  const unused = isSandbox ? Object.keys(smtpSettings).filter((name) => env[name]) : [];
  faults.push(...unused.map((name) => `${name} is set, but MAIL_PROVIDER is sandbox; use MAIL_PROVIDER=smtp.`));
  return { ...common, provider: 'sandbox' };
}

/** Parses `Name <address>` or a bare address. */
function readAddress(name: string, text: string, faults: string[]): MailAddress {
  const [, shown = '', bracketed] = /^([^<]*)<([^<>]*)>$/.exec(text) ?? [];
  const address = bracketed ?? text;
  const person = shown.trimEnd().replace(/^"(.*)"$/, '$1');
  // A line break would inject a header.
  if (!ADDRESS.test(address) || text !== oneLine(text) || /["<>]/.test(person)) {
    const whole = 'must be an address such as Lettings <lettings@agency.example>, in one line';
    const isForm = ADDRESS.test(address) || /["<>]/.test(address);
    faults.push(`${name} ${isForm ? whole : (writtenFault('email', address) ?? whole)}.`);
  }
  return { name: person, address };
}

function readServer(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  faults: string[],
  from: MailAddress,
): SmtpSettings {
  const read = readerOf(smtpSettings, env, faults);
  const address = read('SMTP_URL');
  const url = URL.parse(address ?? '');
  const isBare = url && /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  if (!url || !isBare || !/^smtps?:$/.test(url.protocol) || !HOST.test(url.hostname)) {
    const fault = address ? 'must be' : 'is missing; MAIL_PROVIDER=smtp needs it:';
    faults.push(`SMTP_URL ${fault} smtp://<host>:<port>, which demands STARTTLS, or smtps://<host>:<port>.`);
    return NO_SERVER;
  }
  const isImplicit = url.protocol === 'smtps:';
  const tls = readTls(read('SMTP_TLS'), mode, isImplicit, faults);
  const login = readLogin(url, [read('SMTP_USER'), read('SMTP_PASSWORD')], faults);
  if (tls === 'none' && login) faults.push('SMTP_TLS is none; no password is sent without TLS.');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls,
    login,
    connections: read('SMTP_CONNECTIONS'),
    name: readName(read('SMTP_NAME'), [URL.parse(env['PUBLIC_URL'] ?? '')?.hostname, domainOf(from)], faults),
  };
}

/** The setting, or the first candidate that is fully qualified: a container's own name never is (RFC 5321, section 2.3.5). */
function readName(name: string | undefined, candidates: (string | undefined)[], faults: string[]): string | undefined {
  if (name !== undefined && !QUALIFIED.test(name))
    faults.push('SMTP_NAME must be a fully qualified name such as screening.agency.example.');
  return name ?? candidates.find((candidate) => candidate !== undefined && QUALIFIED.test(candidate));
}

function domainOf({ address }: MailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function readTls(
  choice: 'required' | 'none',
  mode: 'sandbox' | 'live',
  isImplicit: boolean,
  faults: string[],
): SmtpSettings['tls'] {
  if (choice === 'none' && mode === 'live') faults.push('SMTP_TLS is none; live sends nothing without TLS.');
  if (choice === 'none' && isImplicit) faults.push('SMTP_TLS is none, but SMTP_URL begins with smtps.');
  if (isImplicit) return 'implicit';
  return choice === 'none' ? 'none' : 'starttls';
}

/** Credentials from the URL, or from variables, where a password needs no escaping. */
function readLogin(url: URL, given: (string | undefined)[], faults: string[]): SmtpSettings['login'] {
  const [user = '', password = ''] = given;
  const isInUrl = url.username !== '' || url.password !== '';
  if (isInUrl && (user || password))
    faults.push('SMTP_USER is set, but SMTP_URL names a user too; leave the user and the password out of it.');
  const login = isInUrl ? { user: decodedUri(url.username), password: decodedUri(url.password) } : { user, password };
  if (login.user === undefined || login.password === undefined) {
    faults.push('SMTP_URL holds a user or password with an invalid % escape; use SMTP_USER and SMTP_PASSWORD.');
    return undefined;
  }
  if (login.user && !login.password) faults.push('SMTP_PASSWORD is missing; the user of the mail server needs it.');
  if (login.password && !login.user) faults.push('SMTP_USER is missing; SMTP_PASSWORD needs it.');
  return login.user ? { user: login.user, password: login.password } : undefined;
}
