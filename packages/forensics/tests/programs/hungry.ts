import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Takes memory outside of JavaScript's heap, where Node's own limit does not look, or inside of it. */
writeFrame({ is: 'ready' });
const { where } = Object(readRequest()?.header);
const taken: unknown[] = [];
for (;;) taken.push(where === 'heap' ? Array.from({ length: 100_000 }, () => ({})) : Buffer.alloc(16 * 1024 * 1024, 1));
