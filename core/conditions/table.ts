import type { Condition } from './condition.ts';
import { ofInstallation } from './of-installation.ts';
import { ofProcesses } from './of-processes.ts';
import { ofWork } from './of-work.ts';

/**
 * The table of conditions, the one list of what can go wrong. The doctor, the console's overview, the metrics, the alerts, the operator's
 * mails and the section in troubleshooting.md are made from it; `jobs/conditions/` observes each.
 */
export const conditions = { ...ofInstallation, ...ofProcesses, ...ofWork } satisfies Record<string, Condition>;

export type ConditionId = keyof typeof conditions;

/** The conditions that are seen in one way. */
export type SeenIn<Way extends Condition['seen']> = {
  [Id in ConditionId]: (typeof conditions)[Id]['seen'] extends Way ? Id : never;
}[ConditionId];

export const conditionIds = Object.keys(conditions).filter(isConditionId);

export function conditionOf(id: ConditionId): Condition {
  return conditions[id];
}

/** The name of its alert. */
export function alertOf(id: ConditionId): string {
  const words = id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return conditionOf(id).alert.name ?? `Screening${words.join('')}`;
}

export function isConditionId(text: string): text is ConditionId {
  return Object.hasOwn(conditions, text);
}
