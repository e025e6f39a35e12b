import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Reports that it has started, and never ends. */
writeFrame({ is: 'ready' });
readRequest();
for (;;);
