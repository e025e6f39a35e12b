import type { SingleBar } from 'cli-progress';

let isHidden = false;

/** For commands that print JSON, which programs read. */
export function hideProgress(): void {
  isHidden = true;
}

/** Shows progress on a terminal. `tick` takes the total done so far, shown alone when there is no `total`. */
export async function withProgress<Result>(
  title: string,
  total: number | undefined,
  work: (tick: (done: number) => void) => Promise<Result>,
): Promise<Result> {
  const bar = isHidden || !process.stderr.isTTY ? undefined : await openBar(title, total);
  try {
    return await work((done) => bar?.update(done));
  } finally {
    bar?.stop();
  }
}

async function openBar(title: string, total: number | undefined): Promise<SingleBar> {
  const { default: cliProgress } = await import('cli-progress');
  const format = total === undefined ? `${title} {value}` : `${title} [{bar}] {percentage}% {value}/{total}`;
  // `linewrap` truncates at the width of the terminal.
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format,
    barsize: 30,
    linewrap: true,
    clearOnComplete: true,
  });
  bar.start(total ?? 0, 0);
  return bar;
}
