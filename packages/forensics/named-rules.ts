/** A rule that affects the outcome in its own way. Its name is here so that the host need not load the rules and their readers. */
export const COPIED_DOCUMENT = 'copied-document';
