import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { decidingChecks } from '@tenant-screening/forensics/conclude';
import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import type { Outcome } from '@tenant-screening/forensics/result';
import { rules } from '@tenant-screening/forensics/rules';

/** A worker thread that examines the files it is sent, one after the other. */
export interface Examined {
  outcome: Outcome;
  /** Why it is inconclusive. */
  reason?: string;
  /** The findings that make the outcome, as in "covered-text strong: …". */
  accusations: string[];
  /** Checks that failed, which is the engine's fault. */
  faults: string[];
}

const { ocr }: { ocr: boolean } = workerData;

parentPort?.on('message', async (path: string) => {
  const bytes = new Uint8Array(await readFile(path));
  const reading = { ocr, ocrSeconds: 15 };
  const { outcome, reason, checks } = await examineBytes(basename(path), bytes, { rules, reading });
  const accusations = decidingChecks(checks).flatMap(({ rule, findings = [] }) =>
    findings
      .filter(({ strength }) => strength !== 'context')
      .map(({ strength, message }) => `${rule} ${strength}: ${message}`),
  );
  const faults = checks.filter(({ status }) => status === 'error').map(({ rule }) => `${rule} failed`);
  const examined: Examined = { outcome, ...(reason === undefined ? {} : { reason }), accusations, faults };
  parentPort?.postMessage(examined);
});
