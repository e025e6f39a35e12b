import type { Row } from '../../bin/admin/cli/output.ts';
import { percentile, rounded } from '../result.ts';
import type { Receipt } from './endpoint.ts';
import type { Emitted } from './service.ts';

/** Latency of the events answered promptly, in milliseconds; infinite when too many did not arrive. */
export interface Latency {
  events: number;
  /** From before the transaction of the event to the verified receipt. */
  p50: number;
  p99: number;
  longest: number;
  /** From the commit. An event can arrive before its sender learns of the commit. */
  p50FromCommit: number;
  p99FromCommit: number;
}

/**
 * @param expected the events whose endpoints do not always hang. Those that hit a hanging request are left out; those that did not
 *   arrive count as infinite
 */
export function latencyOf(expected: Emitted[], receipts: Receipt[]): Latency {
  const received = new Map<number, Receipt>();
  for (const receipt of receipts) if (!received.has(receipt.event)) received.set(receipt.event, receipt);
  const counted = expected.filter(({ event }) => !received.get(event)?.hung);
  const since = (start: (event: Emitted) => number): number[] =>
    counted
      .map((event) => (received.get(event.event)?.at ?? Number.POSITIVE_INFINITY) - start(event))
      .sort((a, b) => a - b);
  const [total, fromCommit] = [since(({ begun }) => begun), since(({ committed }) => committed)];
  return {
    events: counted.length,
    p50: percentile(total, 0.5),
    p99: percentile(total, 0.99),
    longest: percentile(total, 1),
    p50FromCommit: percentile(fromCommit, 0.5),
    p99FromCommit: percentile(fromCommit, 0.99),
  };
}

export function latencyRow(what: string, latency: Latency): Row {
  return {
    what,
    events: latency.events,
    p50_ms: rounded(latency.p50),
    p99_ms: rounded(latency.p99),
    longest_ms: rounded(latency.longest),
    p50_from_commit: rounded(latency.p50FromCommit),
    p99_from_commit: rounded(latency.p99FromCommit),
  };
}
