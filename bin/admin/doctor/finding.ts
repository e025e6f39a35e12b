import { oneLine } from '../../../core/text.ts';
import { outsideTrouble } from '../../service/outside-trouble.ts';

export type State = 'ok' | 'warning' | 'problem';

/** The result of one check, in words for operators. */
export interface Found {
  state: State;
  found: string;
  /** What to do; absent when the state is ok. */
  advice?: string;
}

export interface Finding extends Found {
  check: string;
}

export function ok(found: string): Found {
  return { state: 'ok', found };
}

export function warning(found: string, advice: string): Found {
  return { state: 'warning', found, advice };
}

export function problem(found: string, advice: string): Found {
  return { state: 'problem', found, advice };
}

/** An error during the check is its finding. */
export async function examine(check: string, advice: string, look: () => Promise<Found>): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, ...problem(reasonOf(error), advice) };
  }
}

/** As a complete sentence. */
export function reasonOf(error: unknown): string {
  const reason = outsideTrouble(error) ?? oneLine(error instanceof Error ? error.message : String(error));
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/[^.]$/, '$&.');
}
