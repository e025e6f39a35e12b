import type { DocumentType } from '../../../core/rules/document-types.ts';
import type { RefusalReason } from '../../../jobs/documents/uploads.ts';

/** Every text of the page for documents. */
export const texts = {
  name: 'Rental application',
  title: 'Your documents',
  error: 'Error',
  lead: 'Add the documents that the landlord asked you for, such as proof of who you are and of what you earn.',
  handed: (count: number) => (count === 1 ? '1 document handed in' : `${count} documents handed in`),
  none: 'Nothing handed in yet.',
  addHeading: 'Add documents',
  typeLabel: 'What is it?',
  choose: 'Choose a kind',
  types: {
    identity: 'Identity document',
    payslip: 'Payslip',
    bank_statement: 'Bank statement',
    employment_letter: 'Employment letter',
    other: 'Something else',
  } satisfies Record<DocumentType, string>,
  filesLabel: 'Files',
  filesHint: (mebibytes: number) => `PDF, JPEG or PNG, up to ${mebibytes} MB each. You can choose several at once.`,
  photo: 'Or take a photo',
  add: 'Add',
  replace: 'Replace',
  replaceFor: (name: string) => `New file in place of ${name}`,
  replaceNow: 'Replace it',
  remove: 'Remove',
  done: 'Done',
  kept: (landlord: string) =>
    `Your files are stored encrypted, for your application with ${landlord} only. They are checked automatically for signs of changes.`,
  noType: 'Choose what kind of document it is.',
  noFile: 'Choose at least one file.',
  refused: {
    empty: 'The file is empty. Choose it again, or save it anew first.',
    large: 'The file is too large. Take the photo in a lower resolution, or split the document.',
    many: 'No more documents fit. Remove one first.',
    format: 'The file is not a PDF, JPEG or PNG. Save it as one of these.',
    heic: 'This photo is in the format HEIC. Send it as JPEG: on an iPhone, choose “Most Compatible” in the camera’s format settings, or take a screenshot of it.',
    mismatch: 'The content of the file does not match its name. Save it again in the format that its name says.',
    encrypted: 'The file is protected by a password. Save a copy without one, and add that.',
    damaged: 'The file is damaged and cannot be opened. Save or download it again.',
    harmful: 'The file is built in a way that programs cannot open safely. Print it to a new PDF, or photograph it.',
  } satisfies Record<RefusalReason, string>,
  /** What the script of the page says. */
  script: {
    sending: 'Sending',
    checking: 'Sent; being checked …',
    waiting: 'The connection is lost. It goes on by itself.',
    added: 'Added',
    failed: 'It could not be added. Please try again.',
    large: 'The file is too large. Take the photo in a lower resolution, or split the document.',
    'no-type': 'Choose what kind of document it is.',
    'no-file': 'Choose at least one file.',
  },
  size: (bytes: number) =>
    bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`,
  next: 'Add your documents',
  change: 'Change your documents',
};
