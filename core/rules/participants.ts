import { hash } from 'node:crypto';
import type { components } from '../../generated/openapi.d.ts';
import { type FieldError, ValidationError } from '../errors.ts';
import { RULE_MESSAGES } from '../messages.ts';

type RequestedTenant = components['schemas']['ApplicationDraftTenant'];
type ConsentStatus = components['schemas']['ConsentStatus'];

/** E-mail addresses are compared case-insensitively. */
export function comparableEmail(email: string): string {
  return email.toLowerCase();
}

/**
 * The mailbox of an address, without the tag of `name+tag@domain` (RFC 5233): most providers deliver both to the same person. Dots count: only a
 * few providers ignore them.
 */
export function mailboxOf(comparable: string): string {
  const [, mailbox, domain] = /^([^"+][^+]*)\+.*(@[^@]*)$/.exec(comparable) ?? [];
  return mailbox === undefined || domain === undefined ? comparable : `${mailbox}${domain}`;
}

/**
 * The rules for create-application's `tenants` that a schema cannot express (product document 4.2): unique e-mails, exactly one lead.
 * @throws ValidationError naming each offending item
 */
export function checkRequestedTenants(tenants: readonly RequestedTenant[]): void {
  const faults: FieldError[] = [];
  const firstIndex = new Map<string, number>();
  tenants.forEach(({ email }, index) => {
    const earlier = firstIndex.get(comparableEmail(email));
    if (earlier === undefined) firstIndex.set(comparableEmail(email), index);
    else
      faults.push({
        field: `tenants.${index}.email`,
        message: RULE_MESSAGES.repeatedEmail(`tenants.${earlier}.email`),
      });
  });
  const leads = tenants.filter(({ is_lead }) => is_lead).length;
  if (leads !== 1) faults.push({ field: 'tenants', message: RULE_MESSAGES.oneLead(leads) });
  if (faults.length > 0) throw new ValidationError(faults);
}

/** Identifies a set of addresses, in any order and case (product document 4.2, rule 5). A digest has an indexable length. */
export function emailSetKey(emails: readonly string[]): string {
  const sorted = emails.map(comparableEmail).sort();
  return hash('sha256', sorted.join('\n'));
}

/** A participant of an application, possibly removed. */
interface Member {
  comparable_email: string;
  removed_at: string | null;
}

/**
 * Whether the active participants of an application were exactly this group at any time. People only ever leave an application, so all
 * others must have left before the first of the group did.
 */
export function wasGroup(members: readonly Member[], group: ReadonlySet<string>): boolean {
  const inGroup = members.filter(({ comparable_email }) => group.has(comparable_email));
  const others = members.filter(({ comparable_email }) => !group.has(comparable_email));
  if (new Set(inGroup.map(({ comparable_email }) => comparable_email)).size !== group.size) return false;
  const firstLeft = inGroup.map(({ removed_at }) => removed_at ?? FOREVER).sort()[0] ?? FOREVER;
  return others.every(({ removed_at }) => removed_at !== null && removed_at <= firstLeft);
}

/** Sorts after every timestamp. */
const FOREVER = '~';

/** Whether a person has accepted or declined. A person who has answered receives no invitation mail: a pending mail is dropped. */
export function hasAnswered(invitation: { consent_status: ConsentStatus; answered_at: string | null }): boolean {
  return invitation.answered_at !== null || invitation.consent_status !== 'pending';
}
