import type { Row } from '../../../bin/admin/cli/output.ts';
import type { DatabaseName } from './prepared.ts';

/** What a measurement found. */
export interface Result {
  title: string;
  rows: Row[];
  marks: Mark[];
  /** What a reader must know of how it was measured. */
  note?: string;
}

/** What was promised: not less, or not more, than its limit. */
export interface Mark {
  database: DatabaseName;
  promise: string;
  value: number;
  limit: { least: number } | { most: number };
  unit?: string;
}

export function isKept({ value, limit }: Mark): boolean {
  return 'least' in limit ? value >= limit.least : value <= limit.most;
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
