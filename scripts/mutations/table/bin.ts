import type { Mutation } from '../mutation.ts';

/** Programs: confirmations, stops, keys and files. */
export const binMutations: readonly Mutation[] = [
  {
    id: 'confirmation',
    hurts: 'A mistyped command erases or revokes without a question.',
    file: 'bin/admin/cli/confirm.ts',
    text: 'if (options.yes) return;',
    replacement: 'if (options.yes || !process.stdin.isTTY) return;',
    tests: ['admin/privacy'],
  },
  {
    id: 'bank-list-in-turns',
    hurts: 'Applicants who wait for the list of banks keep those of the same key from their return.',
    file: 'bin/service/calls-in-turns.ts',
    text: "banks: 'local',",
    replacement: 'banks: call,',
    tests: ['edge/bank-log'],
  },
  {
    id: 'drain-at-sigterm',
    hurts: 'Each deployment fails the requests that the load balancer still sends.',
    file: 'bin/service/run.ts',
    text: "reason === 'SIGINT' ? 0 : drainMs",
    replacement: "reason === 'SIGINT' ? drainMs : 0",
    tests: ['service/draining', 'service/signals'],
  },
  {
    id: 'encryption-key-of-database',
    hurts: 'A process with the wrong key seals documents that no other process can read.',
    file: 'bin/service/encryption-key.ts',
    text: 'if (!(await areNotedKeysIn(db, ring))) throw wrongKey();',
    replacement: 'if (!(await areNotedKeysIn(db, ring)) && ring.current.length === 0) throw wrongKey();',
    tests: ['service/encryption-key'],
  },
  {
    id: 'private-files',
    hurts: 'Other accounts of the machine read the documents and the database.',
    file: 'bin/service/private-files.ts',
    text: 'const OF_OTHERS = 0o077;',
    replacement: 'const OF_OTHERS = 0o002;',
    tests: ['service/private-files'],
  },
  {
    id: 'accepted-at-stop',
    hurts: 'Callers whose connection was accepted before a restart are reset.',
    file: 'bin/service/service.ts',
    text: 'NetServer.prototype.close.call(server,',
    replacement: 'server.close(',
    tests: ['service/accepted-connections'],
  },
  {
    id: 'start-without-documents',
    hurts: 'A silent bucket keeps every process from starting, although most calls need no documents.',
    file: 'bin/service/encryption-key.ts',
    text: 'await Promise.race([first, watched.silent]);',
    replacement: 'await first;',
    tests: ['faults/silent-store'],
  },
  {
    id: 'slow-not-frozen',
    hurts: 'The doctor has a process restarted that answers, because the machine is slow.',
    file: 'bin/admin/doctor/process.ts',
    text: 'if (row && row.beat_at !== first?.beat_at)',
    replacement: "if (row && row.beat_at < (first?.beat_at ?? ''))",
    tests: ['conditions/long-failures'],
  },
];
