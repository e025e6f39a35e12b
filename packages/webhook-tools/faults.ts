/** The user can correct the fault; the message says how. Exit code 1. */
export class ToolFault extends Error {}

/** The command line itself is wrong. Exit code 2. */
export class UsageFault extends Error {}
