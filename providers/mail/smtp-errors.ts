import { wholeWords } from '../../core/rules/erased.ts';
import { cut, oneLine } from '../../core/text.ts';
import { MailDelayed, MailRefused } from './port.ts';

const MAX_REASON_LENGTH = 160;
const UNREACHED = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROXY'];
/** Responses about the session, not the mail: bad sequence of commands, authentication required or failed. */
const OF_THE_SESSION = [503, 530, 534, 535, 538];
const ABOUT: Record<string, string> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the message',
};

/** Properties of the library's errors. */
interface SmtpFault {
  code: string;
  /** The command that failed. */
  command: string;
  /** The status code and the full response. */
  status: number | undefined;
  response: string;
  message: string;
}

/**
 * Distinguishes permanent rejections from retryable failures. Only a rejected recipient or message is permanent: authentication, sender and
 * greeting failures are for the operator to fix, and the mail waits.
 * @param to the recipient, redacted from the result
 */
export function mailError(error: unknown, to = ''): MailDelayed {
  const fault = faultOf(error);
  const { status, command, code, response } = fault;
  const said = withoutPeople(response, to);
  if (status === undefined && code === 'EENVELOPE')
    return new MailRefused('the address cannot be written in the envelope of a mail');
  if (status === undefined) return new MailDelayed(withoutAnswer(fault), withoutPeople(fault.message, to));
  if (code === 'EAUTH') return new MailDelayed(`the mail server does not take the login (${status})`, said);
  const about = ABOUT[command];
  if (about === undefined) return new MailDelayed(`the mail server turns us away (${status})`, said);
  if (status < 500) return new MailDelayed(`the mail server puts ${about} off (${status})`, said);
  const isOver = command !== 'MAIL FROM' && !OF_THE_SESSION.includes(status);
  return new (isOver ? MailRefused : MailDelayed)(`the mail server refuses ${about} (${status})`, said);
}

function withoutAnswer({ code, message }: SmtpFault): string {
  if (code === 'ETLS' || /certificate|TLS|SSL/i.test(message))
    return `the connection to the mail server cannot be secured (${code})`;
  if (code === 'EAUTH') return 'the mail server offers no login that is known';
  if (code === 'EABORT') return 'the mail server takes too long';
  if (UNREACHED.includes(code)) return `the mail server cannot be reached (${code})`;
  return `the mail could not be sent (${code || 'unknown'})`;
}

function faultOf(error: unknown): SmtpFault {
  const found: object = typeof error === 'object' && error !== null ? error : {};
  const text = (name: string) => {
    const value: unknown = Reflect.get(found, name);
    return typeof value === 'string' ? value : '';
  };
  const status: unknown = Reflect.get(found, 'responseCode');
  return {
    code: text('code'),
    command: text('command'),
    status: typeof status === 'number' && status >= 400 ? status : undefined,
    response: text('response'),
    message: text('message'),
  };
}

/** The server's response without codes, and without addresses and links, which may name a person. */
function withoutPeople(said: string, to: string): string {
  const at = to.lastIndexOf('@');
  const names = at < 0 ? [] : [to.slice(0, at), to.slice(at + 1)];
  let unnamed = said.replace(/^\d{3}[ -]/gm, '').replace(/(?<!\S)\S*@\S*|https?:\S*/gi, '…');
  for (const name of names.filter(Boolean)) unnamed = unnamed.replace(wholeWords([name]), '…');
  return cut(oneLine(unnamed), MAX_REASON_LENGTH);
}
