/** A queue under test: ours, or one that it is compared to. */
export interface Contender {
  /** All in one transaction, which is committed when this returns. */
  send(ids: string[]): Promise<void>;
  /** Starts running jobs in this process. */
  work(run: (id: string) => void): Promise<void>;
  /** Whether all jobs are done, and recorded as done. */
  isIdle(): Promise<boolean>;
}

export type Open = (databaseUrl: string) => Promise<Contender>;
