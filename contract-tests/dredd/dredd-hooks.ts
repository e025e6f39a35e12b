/** The part of Dredd's hooks interface that is used here; Dredd ships no types. */

/** One exchange that Dredd derived from the contract. Hooks may change it before it is sent. */
export interface Transaction {
  /** `<path> > <summary> > <status> > <media type>` */
  name: string;
  host: string;
  port: string;
  fullPath: string;
  request: { method: string; headers: Record<string, string>; body?: string };
  /** The answer; absent when the service sent none. */
  real?: { statusCode: number; headers: Record<string, string | string[] | undefined>; body?: string };
  /** Why the transaction must not pass. */
  fail?: string;
}

export interface Hooks {
  beforeEach(hook: (transaction: Transaction, done: () => void) => void): void;
  afterEach(hook: (transaction: Transaction, done: () => void) => void): void;
  afterAll(hook: (transactions: Transaction[], done: () => void) => void): void;
  /** With one parameter, an exception in the hook fails the run. */
  afterAll(hook: (transactions: Transaction[]) => void): void;
}
