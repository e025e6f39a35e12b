/**
 * For whom something is done: an API key and, within it, a person; an operator; a landlord and, within it, a member; an address until its caller is known and, within it, a
 * path; or the service itself. Parties take turns at whatever there is not enough of (`fair-turns.ts`).
 */
export interface Party {
  readonly name: string;
  /** The part of the party; undefined for the integrator's own calls. */
  readonly person?: string | undefined;
}

/** Duties of the service that belong to no caller: few, and bounded. */
export const SERVICE: Party = { name: 'service' };

/** The API key of work that earlier versions began. */
export const UNKNOWN_KEY = 'unknown';

export const partyOfKey = (apiKeyId: string | null, person?: string): Party => ({
  name: `key ${apiKeyId ?? UNKNOWN_KEY}`,
  person,
});
/** Members of one landlord share its turns; within it each has their own. */
export const partyOfMember = (landlordId: string, memberId: string): Party => ({
  name: `landlord ${landlordId}`,
  person: memberId,
});
export const partyOfOperator = (name: string): Party => ({ name: `operator ${name}` });
