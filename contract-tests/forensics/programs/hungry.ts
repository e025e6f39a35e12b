import { hear, say } from '../../../forensics/isolation/inside.ts';

/** Takes memory outside of JavaScript's heap, where Node's own limit does not look. */
hear();
say({ is: 'ready' });
const taken: Buffer[] = [];
for (;;) taken.push(Buffer.alloc(16 * 1024 * 1024, 1));
