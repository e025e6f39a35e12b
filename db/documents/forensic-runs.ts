import type { WorkRow } from '../work/work.ts';

export interface ForensicRunRow extends WorkRow {
  tenant_id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  result: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    forensic_runs: ForensicRunRow;
  }
}
