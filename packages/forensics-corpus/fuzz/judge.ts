import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import type { DocumentResult } from '@tenant-screening/forensics/result';
import { rules } from '@tenant-screening/forensics/rules';
import { type Mutation, mutated, type Seed } from './mutations.ts';

/** The engine's findings in each seed before mutation, by the name of the seed. */
export type Found = Map<string, Set<string>>;

export function examined({ name, bytes }: Seed): Promise<DocumentResult> {
  return examineBytes(name, new Uint8Array(bytes), { rules, reading: { ocr: false, ocrSeconds: 0 } });
}

/** The rules with a deciding finding. */
export function findingRules({ checks }: DocumentResult): Set<string> {
  const deciding = checks.filter(({ findings }) => findings?.some(({ strength }) => strength !== 'context'));
  return new Set(deciding.map(({ rule }) => rule));
}

export async function foundIn(seeds: readonly Seed[]): Promise<Found> {
  const found: Found = new Map();
  for (const seed of seeds) found.set(seed.name, findingRules(await examined(seed)));
  return found;
}

/** The faults in the analysis of a mutation: a failed check, or a finding that a harmless mutation removed. */
export async function faultsOf(seeds: readonly Seed[], number: number, found: Found): Promise<string[]> {
  const mutation = await mutated(seeds, number);
  return faultsAfter(mutation, found);
}

export async function faultsAfter({ bytes, how, harmless }: Mutation, found: Found): Promise<string[]> {
  const result = await examined({ name: how, bytes });
  const failed = result.checks.filter(({ status }) => status === 'error').map(({ rule }) => `${rule} fails: ${how}`);
  if (!harmless) return failed;
  const before = [...found].find(([name]) => how.startsWith(name))?.[1] ?? new Set<string>();
  const lost = [...before.difference(findingRules(result))];
  return [...failed, ...lost.map((rule) => `${rule} finds no more: ${how}`)];
}
