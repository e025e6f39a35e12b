import { chromium } from '@tenant-screening/forensics-corpus/producers/chromium.ts';
import { externalProducers, externalRedistillers } from '@tenant-screening/forensics-corpus/producers/external.ts';
import { producers as own } from '@tenant-screening/forensics-corpus/producers/index.ts';
import type { Producer } from '@tenant-screening/forensics-corpus/producers/producer.ts';
import type { Redistiller } from '@tenant-screening/forensics-corpus/samples/stage.ts';
import { launchBrowser } from '../../harness/browser/browser.ts';

export interface Makers {
  producers: Producer[];
  redistillers: Redistiller[];
  /** What is missing here, printed with the figures. */
  missing: string[];
  close(): Promise<void>;
}

/** Every producer of PDFs available on this machine, or those named. @throws when one of those is missing */
export async function openMakers(only?: readonly string[]): Promise<Makers> {
  const started = await launchBrowser().catch((error: unknown) => String(error));
  const missing = typeof started === 'string' ? [`Without Chromium's PDFs, as it does not start here: ${started}`] : [];
  const browser = typeof started === 'string' ? undefined : started;
  const redistillers = await externalRedistillers();
  if (redistillers.length === 0) missing.push('Without redistilled files: neither Ghostscript nor Cairo is here.');
  const all = [...own, ...(browser ? [chromium(browser.browser)] : []), ...(await externalProducers())];
  const absent = only?.filter((name) => all.every((producer) => producer.name !== name)) ?? [];
  if (absent.length > 0) {
    await browser?.stop();
    throw new Error(`Not on this machine: ${absent.join(', ')}.`);
  }
  return {
    producers: only ? all.filter(({ name }) => only.includes(name)) : all,
    redistillers,
    missing,
    close: async () => browser?.stop(),
  };
}
