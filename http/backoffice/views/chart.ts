import { type Html, html } from '../../../core/html.ts';

interface Bar {
  label: string;
  count: number;
  /** How many of them failed. */
  failed: number;
}

const [WIDTH, HEIGHT, GAP] = [560, 120, 4];

/** Bars of equal width, with the numbers as a list for screen readers. */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const peak = Math.max(0, ...bars.map(({ count }) => count));
  const step = WIDTH / bars.length;
  const shape = (className: string, index: number, count: number, words: string) => {
    // One of many is still to be seen.
    const height = Math.max(count > 0 ? 1 : 0, Math.round((count / Math.max(1, peak)) * HEIGHT));
    return html`<rect class="${className}" x="${index * step}" y="${HEIGHT - height}" width="${step - GAP}" height="${height}"><title>${words}</title></rect>`;
  };
  const shapes = bars.map(
    (bar, index) =>
      html`${shape('bar', index, bar.count, words(bar))}${bar.failed > 0 ? shape('bar failed', index, bar.failed, words(bar)) : undefined}`,
  );
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  const [first, last] = [bars[0], bars.at(-1)];
  return html`<figure class="chart">
<figcaption>${title} <span class="soft">peak ${peak.toLocaleString('en')}</span>${failed > 0 ? html` <span class="failures">${failed.toLocaleString('en')} failed</span>` : undefined}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" aria-hidden="true" focusable="false"><path class="ground" d="M0 ${HEIGHT + 0.5}H${WIDTH}"/>${shapes}</svg>
<p class="ends" aria-hidden="true"><span>${first?.label ?? ''}</span><span>${last?.label ?? ''}</span></p>
<details><summary>Numbers</summary><ul>${bars.toReversed().map((bar) => html`<li>${words(bar)}</li>`)}</ul></details>
</figure>`;
}

function words({ label, count, failed }: Bar): string {
  const all = `${label}: ${count.toLocaleString('en')}`;
  return failed > 0 ? `${all}, of which ${failed.toLocaleString('en')} failed` : all;
}
