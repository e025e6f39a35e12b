import type { DocumentType } from '../../core/rules/document-types.ts';
import type { StepName } from '../../core/rules/progress.ts';
import { cut, sentence } from '../../core/text.ts';
import type { Message, Texts } from '../../core/texts/texts.ts';
import type { MailTopic } from '../../db/applications/invites.ts';

/** What a mail is about. */
export interface MailSubject {
  /** Undefined for the invitation. */
  about?: MailTopic | undefined;
  isGuarantor?: boolean;
  /** For a reminder: what waits for the person. */
  missing?: readonly StepName[];
  /** For a request: the newest open one. Its reason is the landlord's text. */
  request?: { type: DocumentType; reason: string } | undefined;
}

/** Untrusted values, already cut and without links. */
export interface MailValues {
  title: string;
  /** Possibly empty. */
  inviter: string;
  /** Possibly empty. */
  landlord: string;
  link: string;
  until: Date;
  /** The landlord's reason for a request, possibly empty. */
  reason: string;
}

/** The sentences of a mail, common to its text and its HTML. */
export interface MailWords {
  subject: string;
  heading: string;
  paragraphs: string[];
  call: string;
  button: string;
  validity: string;
  reason: string;
  /** How to stop such mails, with the address. */
  stop?: { text: string; address: string };
}

const MAX_SUBJECT_PART_LENGTH = 64;

export function wordsOf(t: Texts, mail: MailSubject, values: MailValues): MailWords {
  const { until, landlord } = values;
  // The landlord's name is the only trusted part: the title is an integrator's free text.
  const named = { landlord: cut(landlord, MAX_SUBJECT_PART_LENGTH) };
  const letBy = sentence(t.text('mail.let-by', { landlord }));
  if (mail.about === undefined) return invitation(t, mail, values, { named, letBy });
  const forGuarantor = mail.isGuarantor ? 'mail.member.subject-guarantor' : 'mail.member.subject';
  return {
    subject: landlord ? t.text(forGuarantor, named) : t.text('mail.member.subject-unnamed'),
    heading: t.text(`mail.${mail.about}.heading`),
    paragraphs: paragraphsOf(t, mail, mail.about, values, letBy),
    call: t.text('mail.member.call'),
    button: t.text(mail.isGuarantor ? 'home.title-guarantor' : 'mail.member.button'),
    validity: t.text('mail.member.validity', { until }),
    reason: t.text('mail.member.reason'),
    ...(mail.about === 'reminder'
      ? { stop: { text: t.text('mail.reminder.stop'), address: stopAddress(values.link) } }
      : {}),
  };
}

/** Where reminders are stopped, with one click. */
export function stopAddress(link: string): string {
  return `${link}/reminders`;
}

function invitation(
  t: Texts,
  { isGuarantor = false }: MailSubject,
  { inviter, landlord, until }: MailValues,
  { named, letBy }: { named: { landlord: string }; letBy: string },
): MailWords {
  const by = (plain: Message, withName: Message) => (inviter ? t.text(withName, { inviter }) : t.text(plain));
  const invited = isGuarantor
    ? by('mail.guarantor.text', 'mail.guarantor.text-by')
    : by('mail.invited', 'mail.invited-by');
  const subject = isGuarantor ? 'mail.guarantor.subject' : 'mail.subject';
  return {
    subject: landlord ? t.text(subject, named) : t.text('mail.subject-unnamed'),
    heading: t.text(isGuarantor ? 'mail.guarantor.heading' : 'mail.heading'),
    paragraphs: [`${invited} ${letBy}`],
    call: t.text('mail.call'),
    button: t.text('mail.button'),
    validity: t.text('mail.validity', { until }),
    reason: by('mail.reason', 'mail.reason-by'),
  };
}

function paragraphsOf(
  t: Texts,
  { isGuarantor = false, missing = [], request }: MailSubject,
  about: MailTopic,
  { reason }: MailValues,
  letBy: string,
): string[] {
  switch (about) {
    case 'role':
      return [t.text(isGuarantor ? 'mail.role.text-guarantor' : 'mail.role.text')];
    case 'reminder':
      return [t.text('mail.reminder.text', { names: t.list(missing.map((name) => t.text(`journey.${name}`))) })];
    case 'request':
      return request ? [t.text('mail.request.text', { kind: t.text(`documents.type.${request.type}`) }), reason] : [];
    case 'link':
      return [`${t.text('mail.link.text')} ${letBy}`];
    default:
      return [t.text(`mail.${about}.text`)];
  }
}
