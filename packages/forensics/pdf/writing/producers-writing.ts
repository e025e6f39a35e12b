import WAYS_OF_WRITING from './ways-of-writing.json' with { type: 'json' };

/**
 * How programs write files: the beginning of the comment on the second line, in hex, which marks the file as binary (ISO 32000-1, 7.5.2), and
 * how most of its dictionaries begin, in the notation of `styleOf` (7.2.2). The table is from files `made` with the program here, `found`
 * public files that name it, its `source` code, or files `quoted` in public.
 *
 * Versions: Chromium 153, LibreOffice 4.4 to 7.4, PDFKit 0.20, jsPDF 4, ReportLab 5, fpdf2 2.8, WeasyPrint 70, Qt 5.15, cairo 1.10 to 1.16, Word
 * 2010 to 365, Apache FOP 2.8, pdfTeX 1.40, Quartz of macOS 10.10, Ghostscript 10, pdf-lib 2.11, qpdf 12, MuPDF 1.28, Adobe PDF
 * Library 15 and 19, Print To PDF of Windows 10; PDFBox (COSWriter) and PDFium (CPDF_Creator).
 */
/** The program that writes files this way, by its comment and, among several, by its style. @param comment in hex */
export function writerOf(comment: string, style: string | undefined): { name: string } | undefined {
  const ways = WAYS_OF_WRITING.filter((way) => comment.startsWith(way.comment));
  return ways.find((way) => way.style === undefined || way.style === style) ?? ways.at(-1);
}
