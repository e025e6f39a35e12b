import type { WorkRow } from '../work/work.ts';

/** An identity verification. What its provider wants remembered is sealed; at `expires_at` it ends by itself. */
export interface FlowRow extends WorkRow {
  tenant_id: string;
  /** The name of the provider that began it. */
  provider: string;
  sealed_memory: string | null;
  expires_at: string;
}
