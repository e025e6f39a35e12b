/** What one piece of work costs: CPU of the service and of the database in microseconds, and the log written ahead in bytes. */
export interface Cost {
  micros: number;
  databaseMicros: number;
  walBytes: number;
}

export const WORK = ['create-application', 'get-application', 'update-participant', 'event', 'delivery'] as const;
export type Work = (typeof WORK)[number];

/** Bytes of a row with its indexes. */
export const KEPT = ['application', 'event', 'body', 'delivery'] as const;

export interface Measured {
  costs: Partial<Record<Work, Cost>>;
  bytes: Partial<Record<(typeof KEPT)[number], number>>;
}
