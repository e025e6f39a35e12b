import type { SingleBar } from 'cli-progress';

let isHidden = false;

/** For commands that print JSON: a program reads them, whoever watches. */
export function hideProgress(): void {
  isHidden = true;
}

/**
 * Does work that may take long, showing on a terminal how far it is; elsewhere nothing is shown. `tick` takes how much is done
 * since the beginning; without a total that number alone is shown.
 */
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
  // Cut at the width of the terminal, and gone once the work is done.
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
