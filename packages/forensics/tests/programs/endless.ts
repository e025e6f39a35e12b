import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Says that it began, and never ends. */
writeFrame({ is: 'ready' });
readRequest();
for (;;);
