/** What an observer found about a condition, in words for operators: without secrets and personal data. */
export interface Observation {
  /**
   * - `warning`: below the threshold of a problem, but worth a look.
   * - `not checked`: not looked at, because it cannot be seen from here or something else has to be mended first.
   * - `unknown`: looked at, without an answer in time.
   */
  state: State;
  found: string;
  /** What to do about this finding; otherwise the remedy of the condition. */
  advice?: string;
  /** The command that shows more, or that helps. */
  command?: string;
  /** Since when an unknown state has been unknown. */
  since?: Date;
}

export const states = ['ok', 'warning', 'problem', 'not checked', 'unknown'] as const;
export type State = (typeof states)[number];

export function ok(found: string): Observation {
  return { state: 'ok', found };
}

export function warning(found: string, advice?: string, command?: string): Observation {
  return observation('warning', found, advice, command);
}

export function problem(found: string, advice?: string, command?: string): Observation {
  return observation('problem', found, advice, command);
}

export function notChecked(found: string, advice?: string): Observation {
  return observation('not checked', found, advice);
}

export function unknown(found: string, advice?: string): Observation {
  return observation('unknown', found, advice);
}

function observation(state: State, found: string, advice?: string, command?: string): Observation {
  return {
    state,
    found,
    ...(advice === undefined ? {} : { advice }),
    ...(command === undefined ? {} : { command }),
  };
}

/** Whether nothing needs to be done. */
export function isWell({ state }: Pick<Observation, 'state'>): boolean {
  return state === 'ok';
}

const WORDS: [state: State, one: string, many: string][] = [
  ['problem', 'problem', 'problems'],
  ['warning', 'warning', 'warnings'],
  ['unknown', 'unknown', 'unknown'],
  ['not checked', 'not checked', 'not checked'],
];

/** "No problems found" may be said only when every condition was checked and is well. */
export function verdictOn(observations: readonly Pick<Observation, 'state'>[]): string {
  const counts = WORDS.flatMap(([state, one, many]) => {
    const count = observations.filter((observation) => observation.state === state).length;
    return count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  });
  if (counts.length === 0) return 'No problems found.';
  return `Found: ${counts.length === 1 ? counts[0] : `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`}.`;
}
