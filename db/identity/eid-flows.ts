import type { FlowRow } from './flows.ts';

export interface EidFlowRow extends FlowRow {
  /** `downloading`: the person succeeded, their documents are being fetched. */
  status: 'pending' | 'downloading' | 'succeeded' | 'cancelled' | 'failed' | 'expired';
  redirect_url: string;
}

/** One departure of a person to their national eID, for one return of the same browser. */
export interface EidAttemptRow {
  state_hash: string;
  flow_id: string;
  browser_hash: string;
  sealed_luggage: string;
  created_at: string;
  used_at: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    eid_flows: EidFlowRow;
    eid_attempts: EidAttemptRow;
  }
}
