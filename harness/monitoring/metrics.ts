/** One line of the Prometheus text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Samples {
  all: Sample[];
  /** The sum of the series with these labels; NaN when there are none. */
  value(name: string, labels?: Record<string, string>): number;
}

/** Scrapes /metrics. */
export async function samplesOf(operatorsUrl: string | undefined, signal?: AbortSignal): Promise<Samples> {
  const answer = await fetch(`${operatorsUrl}/metrics`, signal ? { signal } : {});
  if (!answer.ok) throw new Error(`The metrics answered ${answer.status}.`);
  const all = parseSamples(await answer.text());
  return {
    all,
    value: (name, labels = {}) => {
      const wanted = Object.entries(labels);
      const found = all.filter(
        (sample) => sample.name === name && wanted.every(([key, is]) => sample.labels[key] === is),
      );
      return found.length === 0 ? Number.NaN : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parseSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
      if (name === '') throw new Error(`This is no metric: ${line}`);
      const pairs = [...labels.matchAll(LABEL)].map(([, key = '', is = '']) => [key, is]);
      return { name, labels: Object.fromEntries(pairs), value: numberOf(value) };
    });
}

function numberOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
