/** A file cannot be used; the message says which, and why. Exit code 1. */
export class FileFault extends Error {}

/** The command line itself is wrong, regardless of the files. Exit code 2. */
export class UsageFault extends Error {}
