/**
 * For whom something is done: an API key and, within it, a person; an operator; an address while nobody is known; or the service itself.
 * Parties take turns at whatever there is not enough of (`fair-turns.ts`).
 */
export interface Party {
  readonly name: string;
  /** Undefined for the integrator's own calls. */
  readonly person?: string | undefined;
}

/** Duties of the service that belong to no caller: few, and bounded. */
export const SERVICE: Party = { name: 'service' };

export const partyOfKey = (apiKeyId: string, person?: string): Party => ({ name: `key ${apiKeyId}`, person });
export const partyOfOperator = (name: string): Party => ({ name: `operator ${name}` });
export const partyOfAddress = (address = 'unknown'): Party => ({ name: `address ${address}` });
