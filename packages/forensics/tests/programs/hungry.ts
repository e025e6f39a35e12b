import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Allocates memory outside the JavaScript heap, which Node's limit does not cover, or inside it. */
writeFrame({ is: 'ready' });
const { where } = Object(readRequest()?.header);
const taken: unknown[] = [];
for (;;) taken.push(where === 'heap' ? Array.from({ length: 100_000 }, () => ({})) : Buffer.alloc(16 * 1024 * 1024, 1));
