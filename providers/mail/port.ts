/** Every kind of mail, and whose mailbox of the sandbox shows it: an API key's, a landlord's or the operators'. */
export const mailKinds = {
  applicant: 'key',
  'member-invitation': 'landlord',
  'member-link': 'landlord',
  'member-passkey': 'landlord',
  'failing-webhooks': 'landlord',
  'recovered-webhooks': 'landlord',
  'operator-link': 'operators',
  'operator-passkey': 'operators',
  conditions: 'operators',
  test: 'operators',
} as const;
export type MailKind = keyof typeof mailKinds;
type KindOf<Reader> = { [Kind in MailKind]: (typeof mailKinds)[Kind] extends Reader ? Kind : never }[MailKind];

interface Desk {
  landlordId: string;
}
/** The office whose people a mail goes to: a landlord's desk, or the operators' console. */
export type MailOffice = Desk | 'console';

/** A mail to the people of an office: what it is, and which office. */
export type OfficeMail = { kind: KindOf<'landlord'>; office: Desk } | { kind: KindOf<'operators'>; office: 'console' };

export interface Mail {
  of: { kind: KindOf<'key'> } | OfficeMail;
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

/** Reads the sandbox's mails: to applicants, or to the people of an office. */
export interface Mailbox {
  read(id: string, office?: MailOffice): Promise<KeptMail | undefined>;
  /** The ids of mails to an office, newest first. */
  list(office: MailOffice, limit: number): Promise<string[]>;
}

/** Mails in DATA_DIR, whichever provider is configured. Those to applicants are named by their invitation. */
export interface LocalMails {
  kept(): AsyncIterable<{ id: string; storedAt: Date }>;
  /** The bytes of a mail; undefined when missing. */
  read(id: string): Promise<Buffer | undefined>;
  /** @returns how many files were removed */
  forget(ids: readonly string[]): Promise<number>;
  /** Removes the mails to offices that were stored before. @returns how many files were removed */
  forgetOffices(before: Date): Promise<number>;
}
