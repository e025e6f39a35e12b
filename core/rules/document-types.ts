/** The document types that people can choose when they upload. */
export const documentTypes = [
  'identity',
  'payslip',
  'bank_statement',
  'employment_letter',
  'tax_assessment',
  'other',
] as const;
export type DocumentType = (typeof documentTypes)[number];
