import { hear, say } from '../../isolation/inside.ts';

/** Takes memory outside of JavaScript's heap, where Node's own limit does not look, or inside of it. */
say({ is: 'ready' });
const { where } = Object(hear()?.header);
const taken: unknown[] = [];
for (;;) taken.push(where === 'heap' ? Array.from({ length: 100_000 }, () => ({})) : Buffer.alloc(16 * 1024 * 1024, 1));
