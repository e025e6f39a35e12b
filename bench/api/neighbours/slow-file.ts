const LAYERS = 12;
const FIRST_FORM = 4;

/** A small PDF whose page takes all the time that an inspection may take: forms that each paint the next one ten times. */
export function slowFile(): string {
  const painting = (next: number) => `/Resources << /XObject << /X ${next} 0 R >> >>`;
  const form = (layer: number) => {
    const isLast = layer === LAYERS;
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${isLast ? '' : painting(FIRST_FORM + layer)}`;
    return streamOf(isLast ? '0 0 100 100 re f' : '/X Do '.repeat(10), entries);
  };
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${FIRST_FORM + LAYERS} 0 R ${painting(FIRST_FORM)} >>`,
    ...Array.from({ length: LAYERS }, (_, index) => form(index + 1)),
    streamOf('/X Do'),
  ]);
}

function streamOf(content: string, entries = ''): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function pdfOf(objects: readonly string[]): string {
  let file = '%PDF-1.4\n';
  let table = '0000000000 65535 f \n';
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}
