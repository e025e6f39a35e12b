import { producers } from '../../producers/index.ts';
import { pdfMethods, pictureMethods, sampleOf } from '../../samples.ts';
import { asExpected } from '../as-expected.ts';

const SEED = 20_250;

/** Excludes the method that needs optional software. */
const methods = [...pdfMethods, ...pictureMethods].filter((method) => method !== 'redistilled');

describe('the engine on the corpus', () => {
  for (const method of methods)
    it(`comes to what is expected of ${method}`, async () => {
      await asExpected(await sampleOf(SEED, 0, method));
    });

  for (const producer of producers)
    it(`leaves a file of ${producer.name} alone, and sees what was written over it`, async () => {
      await asExpected(await sampleOf(SEED, 3, 'as-produced', { producers: [producer] }));
      await asExpected(await sampleOf(SEED, 3, 'overlay', { producers: [producer] }));
    });
});
