const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before the second and each later attempt of a delivery, in milliseconds. */
export const DELIVERY_RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

const JITTER = 0.2;

/**
 * How long to wait after the given number of failed attempts, in milliseconds, spread by 20 % so that an endpoint that
 * comes back is not met by everything at once. Undefined when no attempt is left.
 */
export function deliveryRetryDelay(failedAttempts: number, random: () => number = Math.random): number | undefined {
  const delay = DELIVERY_RETRY_DELAYS[failedAttempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 + JITTER * (2 * random() - 1)));
}
