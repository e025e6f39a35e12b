/** Rules that affect the outcome in their own way. Their names are here so that the host need not load the rules and their readers. */
export const COPIED_DOCUMENT = 'copied-document';
export const DRAWING_PROGRAM = 'drawing-program';
