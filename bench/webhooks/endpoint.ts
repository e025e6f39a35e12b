export interface Endpoint {
  /** The share of its requests that hang, from 0 to 1. */
  hangs: number;
  /** How long these take to be answered; infinite for never. */
  hangMs: number;
  /** The share of its requests answered with 503; none by default. */
  fails?: number;
}

/** As an integrator registers it; one reading, so one signature. */
export const SECRET = `whsec_${Buffer.from('a bench is no place for a secret').toString('base64')}`;

/** A request whose signature was verified. */
export interface Receipt {
  /** The number of the event, from its body. */
  event: number;
  at: number;
  hung: boolean;
}

const HEALTHY: Endpoint = { hangs: 0, hangMs: 0 };

export function healthy(count: number): Endpoint[] {
  return Array.from({ length: count }, () => HEALTHY);
}

/** The first of them, which always hang. */
export function someHang(count: number, hanging: number, hangMs: number): Endpoint[] {
  return healthy(count).map((endpoint, index) => (index < hanging ? { hangs: 1, hangMs } : endpoint));
}

/** Each hangs occasionally. */
export function allHangSometimes(count: number, share: number, hangMs: number): Endpoint[] {
  return healthy(count).map(() => ({ hangs: share, hangMs }));
}
