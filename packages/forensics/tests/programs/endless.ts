import { hear, say } from '../../isolation/inside.ts';

/** Says that it began, and never ends. */
say({ is: 'ready' });
hear();
for (;;);
