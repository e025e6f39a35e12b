/** The document types that people can choose when they upload. */
export const documentTypes = ['identity', 'payslip', 'bank_statement', 'employment_letter', 'other'] as const;
export type DocumentType = (typeof documentTypes)[number];
