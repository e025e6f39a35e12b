import type { Mutation } from '../mutation.ts';

/** The rule that signs deliveries. */
export const webhookToolsMutations: readonly Mutation[] = [
  {
    id: 'signature-readings',
    hurts: 'Receivers that read the secret as characters refuse every event.',
    file: 'packages/webhook-tools/signatures.ts',
    text: 'if (!isCertain) all.push',
    replacement: 'if (isCertain) all.push',
    tests: ['packages/webhook-tools/tests/signatures'],
  },
  {
    id: 'signature-rotation',
    hurts: 'Receivers that still have the former secret lose all events during a rotation.',
    file: 'packages/webhook-tools/signatures.ts',
    text: '.slice(0, MAX_SECRETS)',
    replacement: '.slice(0, Math.min(1, MAX_SECRETS))',
    tests: ['packages/webhook-tools/tests/signatures'],
  },
];
