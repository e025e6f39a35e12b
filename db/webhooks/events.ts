/** Every kind of event, as the contract names them. */
export const eventNames = ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'] as const;
export type EventName = (typeof eventNames)[number];

export interface EventRow {
  id: string;
  tenant_id: string;
  event: string;
  /** Null once its time is over: what it tells is kept shorter than that it was told. */
  body: string | null;
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    events: EventRow;
  }
}
