export interface Mail {
  /** What a local copy is known by: of two mails with the same id, the later is kept. */
  id: string;
  /** Where readers know a mail by that they have already: the same when one mail goes out again after a crash. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * A mail did not go out, but may later. The message is fit for a log; `reason` is for operators, with what the server said, without
 * addresses.
 */
export class MailDelayed extends Error {
  readonly reason: string;

  constructor(message: string, said = '') {
    super(message);
    this.reason = said ? `${message}: ${said}` : message;
  }
}

/** The server will never take this mail for this person. */
export class MailRefused extends MailDelayed {}

export interface MailSender {
  /** @throws MailRefused, MailDelayed */
  send(mail: Mail): Promise<void>;
  /** Whether a mail could go out now. @throws ProviderUnavailable which says why not */
  check(): Promise<void>;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

/** A mail of the local mailbox. */
export interface KeptMail {
  to: string;
  subject: string;
  sentAt: Date;
  text: string;
  html: string;
}

/** What reads the mails that the sandbox keeps. */
export interface Mailbox {
  read(id: string): Promise<KeptMail | undefined>;
}

/** Mails that lie in DATA_DIR, whether mails go out today or stay. */
export interface LocalMails {
  kept(): AsyncIterable<{ id: string; storedAt: Date }>;
  /** The bytes of a mail; undefined when it is not there. */
  read(id: string): Promise<Buffer | undefined>;
  /** @returns how many files were removed */
  forget(ids: readonly string[]): Promise<number>;
}
