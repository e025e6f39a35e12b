import type { DocumentStore } from './documents/port.ts';
import type { EidProvider, KycProvider, TenantIdentity } from './identity/port.ts';
import type { LocalMails, Mailbox, MailSender } from './mail/port.ts';
import type { OutboundHttp } from './outbound/port.ts';

export interface Providers {
  kyc: KycProvider;
  eid: EidProvider;
  /** What the sandbox does before each analysis: it takes its time, and throws where an address asks for a failure. */
  rehearseAnalysis: ((tenant: TenantIdentity) => Promise<void>) | undefined;
  mail: MailSender;
  /** Where mails stay on this machine; undefined where they go out. */
  mailbox: Mailbox | undefined;
  localMails: LocalMails;
  documents: DocumentStore;
  outbound: OutboundHttp;
}
