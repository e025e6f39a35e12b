import type { DeskTexts } from '../../../core/texts/desk-texts.ts';

const STATES = [
  ...(['pending', 'processing', 'downloading', 'verified', 'rejected', 'failed', 'expired', 'cancelled'] as const),
  ...(['succeeded', 'completed', 'handed'] as const),
] as const;

/** The state of a check in the words of the reader. */
export function stateWords(t: DeskTexts, status: string): string {
  const known = STATES.find((state) => state === status);
  return known ? t.text(`state.${known}`) : status;
}
