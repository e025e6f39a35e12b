export type State = 'ok' | 'warning' | 'problem';

/** The result of one check, in words for operators. */
export interface Found {
  state: State;
  found: string;
  /** What to do; absent when the state is ok. */
  advice?: string;
  /** The command that shows more, or that helps. */
  command?: string;
}

export interface Finding extends Found {
  check: string;
}

export function ok(found: string): Found {
  return { state: 'ok', found };
}

export function warning(found: string, advice: string, command?: string): Found {
  return { state: 'warning', found, advice, ...(command === undefined ? {} : { command }) };
}

export function problem(found: string, advice: string, command?: string): Found {
  return { state: 'problem', found, advice, ...(command === undefined ? {} : { command }) };
}
