import type { Size } from '../api/furnish.ts';

/** Per application, as the capacity table assumes: six events, each for two webhooks. */
const EVENTS_AN_APPLICATION = 6;
export const WEBHOOKS_AN_EVENT = 2;
/** Workspaces and landlords are a part of them. */
const ROUND = 100;
export const DELIVERIES_AN_APPLICATION = EVENTS_AN_APPLICATION * WEBHOOKS_AN_EVENT;
/** As `filled` makes them. */
export const KEYS = 16;
export const WEBHOOKS = KEYS * WEBHOOKS_AN_EVENT;
const DAYS = 30;
export const MINUTES = DAYS * 24 * 60;

export interface Amounts {
  applications: number;
  events: number;
  deliveries: number;
  /** When the month ended, in milliseconds: ids begin with a time. */
  endedAt: number;
}

export function amountsOf(deliveries: number): Amounts {
  const applications = Math.ceil(deliveries / DELIVERIES_AN_APPLICATION / ROUND) * ROUND;
  return { applications, events: Math.ceil(deliveries / WEBHOOKS_AN_EVENT), deliveries, endedAt: Date.now() };
}

/** The amounts that grow with the number of applications. */
export function sizeOf({ applications }: Amounts): Size {
  return { applications, participants: 3 };
}
