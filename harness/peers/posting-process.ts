import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

const SAMPLE_MS = 5;

/** Keeps the space of young objects small: it grows while the machine is busy, and would be most of what is measured. */
const FLAGS = ['--expose-gc', '--max-semi-space-size=1'];

/** Posts to all addresses concurrently, several times, in a separate process. Returns its peak memory growth in bytes. */
export async function memoryGrowth(warmUpUrl: string, urls: readonly string[]): Promise<number> {
  const program = [import.meta.filename, warmUpUrl, ...urls];
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, ...program]);
  return Number(stdout);
}

async function measure([warmUpUrl = '', ...urls]: string[]): Promise<number> {
  const outbound = createOutboundHttp({ allowLoopback: true, requireHttps: false });
  const post = (url: string) => outbound.post(url, {}, '{}').catch(() => {});
  for (let time = 0; time < 300; time++) await post(warmUpUrl);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MS);
  await Promise.all(urls.map(post));
  await Promise.all(urls.map(post));
  clearInterval(timer);
  await outbound.close();
  return Math.max(most, process.memoryUsage.rss()) - before;
}

if (import.meta.main) process.stdout.write(String(await measure(process.argv.slice(2))));
