export interface Mail {
  /** The name of a local copy: of two mails with the same id, the later is kept. */
  id: string;
  /** The part of the Message-ID before "@". Lets readers recognize a duplicate: unchanged when a mail is sent again after a crash. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where the recipient stops such mails, by opening the address or by a POST (RFC 8058). */
  stop?: string;
  /** A PNG that the HTML refers to as `cid:<id>`. */
  picture?: { id: string; content: Buffer };
}

/** How the failure of a mail begins that waits for its recipient's server or mailbox, such as greylisting: nothing for the operator to fix. */
export const PUT_OFF = 'the mail server puts';

/**
 * A mail was not sent, but a retry may succeed. The message is safe to log; `reason` adds the server's response for operators, without
 * addresses.
 */
export class MailDelayed extends Error {
  readonly reason: string;

  constructor(message: string, said = '') {
    super(message);
    this.reason = said ? `${message}: ${said}` : message;
  }
}

/** Permanent: the server rejects the recipient. */
export class MailRefused extends MailDelayed {}

export interface MailSender {
  /** @throws MailRefused, MailDelayed */
  send(mail: Mail): Promise<void>;
  /** Checks that mail can be sent. @throws ProviderUnavailable with the reason */
  check(): Promise<void>;
  /** Aborts mails in progress. */
  close(): Promise<void>;
}

export interface KeptMail {
  to: string;
  subject: string;
  sentAt: Date;
  text: string;
  html: string;
}

/** Reads the sandbox's mails. */
export interface Mailbox {
  read(id: string): Promise<KeptMail | undefined>;
}

/** Mails in DATA_DIR, whichever provider is configured. */
export interface LocalMails {
  kept(): AsyncIterable<{ id: string; storedAt: Date }>;
  /** The bytes of a mail; undefined when missing. */
  read(id: string): Promise<Buffer | undefined>;
  /** @returns how many files were removed */
  forget(ids: readonly string[]): Promise<number>;
}
