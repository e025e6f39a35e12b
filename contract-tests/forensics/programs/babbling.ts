import { writeSync } from 'node:fs';
import { hear } from '../../../forensics/isolation/inside.ts';

/** Answers with the bytes that it is given instead of frames. */
const { bytes = new Uint8Array() } = hear() ?? {};
for (;;) writeSync(1, bytes);
