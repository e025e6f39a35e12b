import type { Row } from '../../../bin/admin/cli/output.ts';

/** What a measurement found. */
export interface Result {
  title: string;
  rows: Row[];
  marks: Mark[];
  /** What a reader must know of how it was measured. */
  note?: string;
}

/** What was promised. */
export interface Mark {
  promise: string;
  value: number;
  limit: number;
  unit: string;
}

export function isKept({ value, limit }: Mark): boolean {
  return value <= limit;
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
