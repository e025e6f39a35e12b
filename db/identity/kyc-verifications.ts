import type { FlowRow } from './flows.ts';

export interface KycVerificationRow extends FlowRow {
  status: 'pending' | 'verified' | 'rejected' | 'failed' | 'expired';
  result: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    kyc_verifications: KycVerificationRow;
  }
}
