import { type Html, html } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import { DAY_MS, isoAfter, isoDay } from '../../../core/time.ts';

interface Bar {
  label: string;
  count: number;
  /** How many of them failed. */
  failed: number;
}

const DAYS = 14;
const [WIDTH, HEIGHT, GAP] = [560, 120, 4];

/** The days of a chart in UTC, today last. */
export function lastDays(now: Date): string[] {
  return Array.from({ length: DAYS }, (_, index) => isoDay(new Date(isoAfter(now, (index + 1 - DAYS) * DAY_MS))));
}

/** Bars of equal width, with the numbers as a list for screen readers. */
export function barChart(t: DeskTexts, title: string, bars: readonly Bar[]): Html {
  const peak = Math.max(0, ...bars.map(({ count }) => count));
  const step = WIDTH / bars.length;
  const words = ({ label, count, failed }: Bar) =>
    t.text(failed > 0 ? 'chart.bar-failed' : 'chart.bar', { label, count, failed });
  const shape = (className: string, index: number, count: number, text: string) => {
    // One of many is still to be seen.
    const height = Math.max(count > 0 ? 1 : 0, Math.round((count / Math.max(1, peak)) * HEIGHT));
    return html`<rect class="${className}" x="${index * step}" y="${HEIGHT - height}" width="${step - GAP}" height="${height}"><title>${text}</title></rect>`;
  };
  const shapes = bars.map(
    (bar, index) =>
      html`${shape('bar', index, bar.count, words(bar))}${bar.failed > 0 ? shape('bar failed', index, bar.failed, words(bar)) : undefined}`,
  );
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  const [first, last] = [bars[0], bars.at(-1)];
  return html`<figure class="chart">
<figcaption>${title} <span class="soft">${t.text('chart.peak', { count: peak })}</span>${failed > 0 ? html` <span class="failures">${t.text('chart.failed', { count: failed })}</span>` : undefined}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" aria-hidden="true" focusable="false"><path class="ground" d="M0 ${HEIGHT + 0.5}H${WIDTH}"/>${shapes}</svg>
<p class="ends" aria-hidden="true"><span>${first?.label ?? ''}</span><span>${last?.label ?? ''}</span></p>
<details><summary>${t.text('chart.numbers')}</summary><ul>${bars.toReversed().map((bar) => html`<li>${words(bar)}</li>`)}</ul></details>
</figure>`;
}
