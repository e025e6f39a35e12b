/** Rules with a part of their own in the outcome. Their names stand here, so that the host need not load what they read with. */
export const COPIED_DOCUMENT = 'copied-document';
export const DRAWING_PROGRAM = 'drawing-program';
