import { cut, oneLine } from '../../core/text.ts';
import { MailDelayed, MailRefused } from './port.ts';

const LONGEST_REASON = 160;
const UNREACHED = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROXY'];
/** Answers that are about the session and not about the mail: a bad sequence of commands, a login that is wanted or not taken. */
const OF_THE_SESSION = [503, 530, 534, 535, 538];
const ABOUT: Record<string, string> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the message',
};

/** What the library adds to its errors. */
interface SmtpFault {
  code: string;
  /** The command that was answered. */
  command: string;
  /** The answer's number, and all of it. */
  status: number | undefined;
  response: string;
  message: string;
}

/**
 * Tells a mail that is refused for good from one that may go out later. Only what is said of the recipient or of the message ends it:
 * a login, a sender or a greeting that fails is for the operator to mend, and the mail waits.
 * @param to the recipient, of whom nothing is shown
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

/** What a server said, without its numbers, addresses and links, which may name a person. */
function withoutPeople(said: string, to: string): string {
  const at = to.lastIndexOf('@');
  const names = at < 0 ? [] : [to.slice(0, at), to.slice(at + 1)];
  const unnamed = names
    .filter(Boolean)
    .reduce(
      (text, name) => text.replace(wholeWord(name), '…'),
      said.replace(/^\d{3}[ -]/gm, '').replace(/\S*@\S*|https?:\S*/gi, '…'),
    );
  return cut(oneLine(unnamed), LONGEST_REASON);
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu');
}
