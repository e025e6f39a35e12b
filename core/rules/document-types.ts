/** What people say a document is when they upload it. */
export const documentTypes = ['identity', 'payslip', 'bank_statement', 'employment_letter', 'other'] as const;
export type DocumentType = (typeof documentTypes)[number];
