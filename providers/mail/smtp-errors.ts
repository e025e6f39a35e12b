import { wholeWords } from '../../core/rules/erased.ts';
import { cut, oneLine } from '../../core/text.ts';
import { MailDelayed, MailRefused, PUT_OFF } from './port.ts';

const MAX_REASON_LENGTH = 160;
const UNREACHED = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROXY'];
/** The enhanced status code of a response (RFC 2034). X.0.0 says nothing. */
const ENHANCED = /^\d{3}[ -]([245]\.(?!0\.0\b)\d{1,3}\.\d{1,3})\b/;
/** About the recipient's address or mailbox (RFC 3463, sections 3.2 and 3.3); 5.1.7 and 5.1.8 are about the sender. */
const OF_RECIPIENT = /^5\.(1\.(?![78]$)|2\.)/;
/** Without an enhanced code, these reply codes to RCPT are about the mailbox (RFC 5321, section 4.2.3). */
const MAILBOX_UNAVAILABLE = [550, 551];
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
 * Distinguishes permanent rejections from retryable failures. Only a rejection of the recipient is permanent. Servers report at any
 * command what they think of the service's own name, address or content, so the enhanced status code decides, not the command: everything
 * else is for the operator to fix, and the mail waits.
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
  if (status < 500) return new MailDelayed(`${PUT_OFF} ${about} off (${status})`, said);
  if (isAboutRecipient(status, command, response))
    return new MailRefused(`the mail server refuses the recipient (${status})`, said);
  if (command === 'MAIL FROM') return new MailDelayed(`the mail server refuses the sender (${status})`, said);
  return new MailDelayed(`the mail server refuses mail of this service (${status})`, said);
}

function isAboutRecipient(status: number, command: string, response: string): boolean {
  const [, enhanced] = ENHANCED.exec(response) ?? [];
  if (enhanced !== undefined) return command !== 'MAIL FROM' && OF_RECIPIENT.test(enhanced);
  return command === 'RCPT TO' && MAILBOX_UNAVAILABLE.includes(status);
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
