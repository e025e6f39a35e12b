/** How often pay comes, and how much of it makes a month. */

export const RHYTHMS = ['week', 'two-weeks', 'four-weeks', 'half-month', 'month'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

export const MONTH_DAYS = 365.25 / 12;

export const PER_MONTH: Readonly<Record<Rhythm, number>> = {
  week: MONTH_DAYS / 7,
  'two-weeks': MONTH_DAYS / 14,
  'four-weeks': MONTH_DAYS / 28,
  'half-month': 2,
  month: 1,
};

export function readRhythm(text: string | undefined): Rhythm | undefined {
  return RHYTHMS.find((rhythm) => rhythm === text);
}
