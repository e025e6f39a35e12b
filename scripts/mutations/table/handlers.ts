import type { Mutation } from '../mutation.ts';

/** The product's operations. */
export const handlersMutations: readonly Mutation[] = [
  {
    id: 'lead-stays',
    hurts: 'An application loses the person who manages it.',
    file: 'jobs/invitations/group.ts',
    text: 'if (is_lead) throw',
    replacement: "if (is_lead && id === '') throw",
    tests: ['operations/remove-participant'],
  },
  {
    id: 'removal-ends-checks',
    hurts: 'Identity checks and analyses of a removed person continue.',
    file: 'jobs/invitations/group.ts',
    text: 'await endParticipation(trx, id, now);',
    replacement: 'if (is_lead) await endParticipation(trx, id, now);',
    tests: ['access/stranger'],
  },
  {
    id: 'lead-not-invited',
    hurts: 'The lead is invited to their own application.',
    file: 'jobs/invitations/group.ts',
    text: '.filter(({ is_lead }) => !is_lead)',
    replacement: '.filter(({ is_lead }) => !is_lead || is_lead)',
    tests: ['operations/create-application'],
  },
  {
    id: 'hidden-roles',
    hurts: 'Who leads an application and who guarantees is shown where the product hides it.',
    file: 'handlers/application-view.ts',
    text: 'found.participants.map((row) => participantSummary(row, now))',
    replacement: 'found.participants.map((row) => participantView(row, now))',
    tests: ['operations/get-application'],
  },
  {
    id: 'webhooks-of-one-key',
    hurts: 'One API key multiplies the cost of every event without a limit.',
    file: 'jobs/webhooks/add-webhook.ts',
    text: '>= limits.webhooks)',
    replacement: '> 2 * limits.webhooks)',
    tests: ['operations/request-limits'],
  },
  {
    id: 'redirect-address',
    hurts: 'A person returns from their national eID to a malicious page.',
    file: 'handlers/initiate-eid.ts',
    text: "await checkAddress('redirect_url', body.redirect_url, ctx);",
    replacement: "await checkAddress('redirect_url', 'https://letting.example/', ctx);",
    tests: ['operations/initiate-eid-refusals'],
  },
  {
    id: 'names-that-lead-inside',
    hurts: 'A webhook is registered under a wildcard name for a private address, and fails at each delivery.',
    file: 'jobs/check-address.ts',
    text: 'addresses.requireHttps && (await',
    replacement: '!addresses.requireHttps && (await',
    tests: ['webhooks/webhook-addresses'],
  },
];
