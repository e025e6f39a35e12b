/**
 * Work that a job does. `due_at` says from when on it may be claimed, and null means that it is finished (or held, for a
 * delivery); `failures` counts how often it threw, and `failure` is the last reason.
 */
export interface WorkRow {
  id: string;
  status: string;
  due_at: string | null;
  failures: number;
  failure: string | null;
  created_at: string;
  finished_at: string | null;
}

/** The tables whose rows are work for a job. */
export type WorkTable = 'invites' | 'kyc_verifications' | 'eid_flows' | 'forensic_runs' | 'deliveries';
