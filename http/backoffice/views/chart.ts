import { type Html, html } from '../../../core/html.ts';

interface Bar {
  label: string;
  count: number;
}

const [WIDTH, HEIGHT, GAP] = [560, 120, 4];

/** Bars of equal width, with the numbers as a list for screen readers. */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const peak = Math.max(0, ...bars.map(({ count }) => count));
  const step = WIDTH / bars.length;
  const shapes = bars.map(({ label, count }, index) => {
    const height = Math.round((count / Math.max(1, peak)) * HEIGHT);
    return html`<rect class="bar" x="${index * step}" y="${HEIGHT - height}" width="${step - GAP}" height="${height}"><title>${label}: ${count.toLocaleString('en')}</title></rect>`;
  });
  const [first, last] = [bars[0], bars.at(-1)];
  return html`<figure class="chart">
<figcaption>${title} <span class="soft">peak ${peak.toLocaleString('en')}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" aria-hidden="true" focusable="false"><path class="ground" d="M0 ${HEIGHT + 0.5}H${WIDTH}"/>${shapes}</svg>
<p class="ends" aria-hidden="true"><span>${first?.label ?? ''}</span><span>${last?.label ?? ''}</span></p>
<details><summary>Numbers</summary><ul>${bars.toReversed().map(({ label, count }) => html`<li>${label}: ${count.toLocaleString('en')}</li>`)}</ul></details>
</figure>`;
}
