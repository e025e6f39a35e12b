import type { InTurns } from '../core/in-turns.ts';
import type { BankProvider } from './banking/port.ts';
import type { DocumentStore, HeadKeeper, VirusScanner } from './documents/port.ts';
import type { EidProvider, KycProvider, SimulatedPerson, TenantIdentity } from './identity/port.ts';
import type { LocalMails, Mailbox, MailSender } from './mail/port.ts';
import type { OutboundHttp } from './outbound/port.ts';

/** What the service uses of others. Each is in turns, so that nothing can be called past them. */
export interface Providers {
  kyc: InTurns<KycProvider>;
  eid: InTurns<EidProvider>;
  /** Undefined while banking connectivity is off. */
  bank: InTurns<BankProvider> | undefined;
  /** Delays each sandbox analysis, and throws when the address requests a failure. */
  rehearseAnalysis: ((tenant: TenantIdentity) => Promise<void>) | undefined;
  /** What the address of a participant says about the person; undefined in live. */
  simulatedPerson: ((email: string) => SimulatedPerson) | undefined;
  mail: InTurns<MailSender>;
  /** The local mailbox; undefined when mails are sent. */
  mailbox: InTurns<Mailbox> | undefined;
  localMails: InTurns<LocalMails>;
  documents: InTurns<DocumentStore>;
  /** Undefined when documents are not scanned. */
  scanner: InTurns<VirusScanner> | undefined;
  /** Where the head of the audit log is kept. */
  auditHead: InTurns<HeadKeeper>;
  outbound: InTurns<OutboundHttp>;
}
