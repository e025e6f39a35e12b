import type { BankProvider } from './banking/port.ts';
import type { DocumentStore, HeadKeeper, VirusScanner } from './documents/port.ts';
import type { EidProvider, KycProvider, SimulatedPerson, TenantIdentity } from './identity/port.ts';
import type { LocalMails, Mailbox, MailSender } from './mail/port.ts';
import type { OutboundHttp } from './outbound/port.ts';

export interface Providers {
  kyc: KycProvider;
  eid: EidProvider;
  /** Undefined while banking connectivity is off. */
  bank: BankProvider | undefined;
  /** Delays each sandbox analysis, and throws when the address requests a failure. */
  rehearseAnalysis: ((tenant: TenantIdentity) => Promise<void>) | undefined;
  /** What the address of a participant says about the person; undefined in live. */
  simulatedPerson: ((email: string) => SimulatedPerson) | undefined;
  mail: MailSender;
  /** The local mailbox; undefined when mails are sent. */
  mailbox: Mailbox | undefined;
  localMails: LocalMails;
  documents: DocumentStore;
  /** Undefined when documents are not scanned. */
  scanner: VirusScanner | undefined;
  /** Where the head of the audit log is kept. */
  auditHead: HeadKeeper;
  outbound: OutboundHttp;
}
