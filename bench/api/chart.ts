import type { DatabaseName } from '../result.ts';
import { rounded } from '../result.ts';
import type { Compared } from './compare.ts';
import { operationNames, operations } from './operations.ts';
import { service } from './programs.ts';

const PANEL = { width: 480, gap: 40, labels: 150, values: 110 };
const BAR = { height: 18, step: 27 };
const MARGIN = 24;
const HEAD = 72;
const PANEL_HEAD = 30;

/** Readable on light and dark backgrounds: the page that embeds it chooses. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .panel { font-weight: 600; }
  .dim { fill: #59636e; }
  .number { text-anchor: start; font-variant-numeric: tabular-nums; }
  .back { fill: #ffffff; }
  .peer { fill: #9aa4af; }
  .ours { fill: #0969da; }
  .own { font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .dim { fill: #9198a1; }
    .back { fill: #0d1117; }
    .peer { fill: #656c76; }
    .ours { fill: #4493f8; }
  }`;

interface Measured {
  database: DatabaseName;
  compared: readonly Compared[];
}

/** CPU per request of each server as a bar, with a panel for each operation on each database. */
export function chart(measured: readonly Measured[], machine: string): string {
  const columns = operations.filter((operation) =>
    measured.some(({ compared }) => compared.some((one) => one.operation === operation)),
  );
  const panelHeight = PANEL_HEAD + BAR.step * Math.max(0, ...measured.map(({ compared }) => serversOf(compared))) + 22;
  const width = 2 * MARGIN + columns.length * (PANEL.width + PANEL.gap) - PANEL.gap;
  const height = HEAD + measured.length * panelHeight + MARGIN;
  const panels = measured.flatMap(({ database, compared }, row) =>
    columns.map((operation, column) => {
      const [x, y] = [MARGIN + column * (PANEL.width + PANEL.gap), HEAD + row * panelHeight];
      const title = `${database === 'sqlite' ? 'SQLite' : 'Postgres'}, ${operationNames[operation]}`;
      return panel(
        title,
        compared.filter((one) => one.operation === operation),
        x,
        y,
      );
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>CPU a request of this service and of other servers</title>
<style>${STYLE}
</style>
<rect class="back" width="${width}" height="${height}"/>
<text class="title" x="${MARGIN}" y="30">CPU a request, and the ratio of raw node:http to it</text>
<text class="dim" x="${MARGIN}" y="50">${escaped(machine)}; shorter is better</text>
${panels.join('\n')}
</svg>
`;
}

function serversOf(compared: readonly Compared[]): number {
  return new Set(compared.map(({ server }) => server)).size;
}

function panel(title: string, compared: readonly Compared[], x: number, y: number): string {
  const longest = Math.max(...compared.map(({ saturated }) => saturated.cpuMicros));
  const room = PANEL.width - PANEL.labels - PANEL.values;
  const bars = compared.map(({ server, saturated, ratio }, index) => {
    const top = PANEL_HEAD - 10 + index * BAR.step;
    const length = Math.max(1, Math.round((saturated.cpuMicros / longest) * room));
    const isOurs = server === service.name;
    const own = isOurs ? ' own' : '';
    return `  <text class="${own.trim()}" x="0" y="${top + 14}">${escaped(server)}</text>
  <rect class="${isOurs ? 'ours' : 'peer'}" x="${PANEL.labels}" y="${top}" width="${length}" height="${BAR.height}" rx="2"/>
  <text class="number${own}" x="${PANEL.labels + length + 8}" y="${top + 14}">${rounded(saturated.cpuMicros)} µs <tspan class="dim">${ratio.toFixed(2)}</tspan></text>`;
  });
  return `<g transform="translate(${x} ${y})">
  <text class="panel" x="0" y="8">${escaped(title)}</text>
${bars.join('\n')}
</g>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
