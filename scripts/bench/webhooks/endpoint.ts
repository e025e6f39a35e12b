export interface Endpoint {
  /** Which share of its requests hangs, from 0 to 1. */
  hangs: number;
  /** How long those take to be answered; infinite for never. */
  hangMs: number;
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

/** The first so many of them always hang. */
export function someHang(count: number, hanging: number, hangMs: number): Endpoint[] {
  return healthy(count).map((endpoint, index) => (index < hanging ? { hangs: 1, hangMs } : endpoint));
}

/** Each hangs now and then. */
export function allHangSometimes(count: number, share: number, hangMs: number): Endpoint[] {
  return healthy(count).map(() => ({ hangs: share, hangMs }));
}
