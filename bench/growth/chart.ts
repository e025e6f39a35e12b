import type { DatabaseName } from '../result.ts';
import { rounded } from '../result.ts';
import type { Cost } from './sizes.ts';

const PANEL = { width: 460, height: 260, gap: 90 };
const MARGIN = { top: 84, side: 64, bottom: 60 };
const LEGEND = { width: 160, height: 24 };

/** Distinguishable with colour blindness; each line also has its own marker. */
const LINES = ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#9a6700', '#cf222e'];

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .panel { font-weight: 600; }
  .dim { fill: #59636e; }
  .back { fill: #ffffff; }
  .grid { stroke: #d1d9e0; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .dim { fill: #9198a1; }
    .back { fill: #0d1117; }
    .grid { stroke: #3d444d; }
  }`;

export interface Measured {
  database: DatabaseName;
  costs: readonly Cost[];
}

/** Cost against size, a panel for each database: flat is good. */
export function chart(measured: readonly Measured[], machine: string): string {
  const operations = [...new Set(measured.flatMap(({ costs }) => costs.map(({ operation }) => operation)))];
  const width = 2 * MARGIN.side + measured.length * (PANEL.width + PANEL.gap) - PANEL.gap;
  const across = Math.floor((width - MARGIN.side) / LEGEND.width);
  const below = MARGIN.top + PANEL.height + MARGIN.bottom;
  const height = below + Math.ceil(operations.length / across) * LEGEND.height;
  const place = (index: number) => [
    MARGIN.side + (index % across) * LEGEND.width,
    below + Math.floor(index / across) * LEGEND.height,
  ];
  const panels = measured.map((one, index) => panel(one, operations, MARGIN.side + index * (PANEL.width + PANEL.gap)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>What a request costs, by how many applications there are</title>
<style>${STYLE}
</style>
<rect class="back" width="${width}" height="${height}"/>
<text class="title" x="${MARGIN.side}" y="30">CPU a request, by how many applications there are</text>
<text class="dim" x="${MARGIN.side}" y="50">Of service and database together, in µs; ${escaped(machine)}</text>
${panels.join('\n')}
${operations.map((operation, index) => legend(operation, index, place(index))).join('\n')}
</svg>
`;
}

function panel({ database, costs }: Measured, operations: readonly string[], left: number): string {
  const total = ({ cpuMicros, databaseMicros = 0 }: Cost) => cpuMicros + databaseMicros;
  const top = niceAbove(Math.max(...costs.map(total)));
  const sizes = [...new Set(costs.map(({ size }) => size.applications))].sort((a, b) => a - b);
  const [least = 1, most = 1] = [sizes[0], sizes.at(-1)];
  const x = (size: number) => Math.round((PANEL.width * Math.log(size / least)) / Math.log(most / least) || 0);
  const y = (micros: number) => Math.round(PANEL.height * (1 - micros / top));
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(share * top);
    return `  <line class="grid" x1="0" y1="${at}" x2="${PANEL.width}" y2="${at}"/>
  <text class="dim" x="-8" y="${at + 4}" text-anchor="end">${rounded(share * top)}</text>`;
  });
  const ticks = sizes.map(
    (size) =>
      `  <text class="dim" x="${x(size)}" y="${PANEL.height + 22}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  );
  const lines = operations.map((operation, index) => {
    const points = costs
      .filter((cost) => cost.operation === operation)
      .map((cost) => [x(cost.size.applications), y(total(cost))] as const);
    const path = points.map(([px, py]) => `${px},${py}`).join(' ');
    const marks = points.map(([px, py]) => mark(index, px, py)).join('');
    return `  <polyline points="${path}" fill="none" stroke="${LINES[index % LINES.length]}" stroke-width="2"/>${marks}`;
  });
  return `<g transform="translate(${left} ${MARGIN.top})">
  <text class="panel" x="0" y="-12">${database === 'sqlite' ? 'SQLite' : 'Postgres'}</text>
${[...grid, ...ticks, ...lines].join('\n')}
</g>`;
}

function legend(operation: string, index: number, [x = 0, y = 0]: readonly number[]): string {
  return `<g>${mark(index, x, y - 4)}<text x="${x + 12}" y="${y}">${escaped(operation)}</text></g>`;
}

function mark(index: number, x: number, y: number): string {
  const fill = LINES[index % LINES.length];
  if (index % 3 === 0) return `<circle cx="${x}" cy="${y}" r="4" fill="${fill}"/>`;
  if (index % 3 === 1) return `<rect x="${x - 4}" y="${y - 4}" width="8" height="8" fill="${fill}"/>`;
  return `<path d="M${x - 5} ${y + 4}h10l-5 -9z" fill="${fill}"/>`;
}

/** 1, 2 or 5 with zeros. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((candidate) => candidate >= value) ?? 10 * power;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
