import { hash } from 'node:crypto';
import type { components } from '../../generated/openapi.d.ts';
import { type FieldError, ValidationError } from '../errors.ts';

type RequestedTenant = components['schemas']['CreateApplicationTenant'];
type ConsentStatus = components['schemas']['ConsentStatus'];

/** E-mail addresses are compared case-insensitively. */
export function comparableEmail(email: string): string {
  return email.toLowerCase();
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
        message: `each e-mail may appear once; this one repeats tenants.${earlier}.email.`,
      });
  });
  const leads = tenants.filter(({ is_lead }) => is_lead).length;
  if (leads !== 1)
    faults.push({
      field: 'tenants',
      message: `exactly one tenant must have is_lead true; ${leads === 0 ? 'none has' : `${leads} have`}.`,
    });
  if (faults.length > 0) throw new ValidationError(faults);
}

/** Identifies a set of addresses, in any order and case (product document 4.2, rule 5). A digest has an indexable length. */
export function emailSetKey(emails: readonly string[]): string {
  const sorted = emails.map(comparableEmail).sort();
  return hash('sha256', sorted.join('\n'));
}

/** Whether a person accepted or declined. From then on they get no invitation mail: neither a pending one nor another. */
export function hasAnswered(invitation: { consent_status: ConsentStatus; answered_at: string | null }): boolean {
  return invitation.answered_at !== null || invitation.consent_status !== 'pending';
}
