/** One row of the table of conditions. */
export interface Condition {
  /** What is true when all is well. */
  meaning: string;
  /**
   * Where it is seen:
   * - `settings`: in the settings and files of this machine;
   * - `database`: in the database, whether the service runs or not;
   * - `machine`: on this machine;
   * - `provider`: by asking a party outside.
   */
  seen: 'settings' | 'database' | 'machine' | 'provider';
  /** When it is a problem, and why there. */
  threshold: string;
  /** What to do. */
  remedy: string;
  alert: {
    /** `page`: act now; `ticket`: by morning. */
    severity: 'page' | 'ticket';
    /** For how long the problem lasts before anyone is called. */
    forMinutes: number;
    /** Instead of one made from the id. */
    name?: string;
    /** Instead of the gauge, where the metric of a process says it sooner. */
    expression?: string;
  };
}

/** By its alert, the time that a problem may last. */
export const PAGE = { severity: 'page', forMinutes: 2 } as const;
export const TICKET = { severity: 'ticket', forMinutes: 15 } as const;
