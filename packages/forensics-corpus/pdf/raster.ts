import { PDFiumLibrary } from '@hyzyla/pdfium';

let library: Promise<PDFiumLibrary> | undefined;

export interface Raster {
  width: number;
  height: number;
  /** Red, green, blue. */
  data: Uint8Array;
}

/** Renders every page. @param scale pixels per point */
export async function rasterised(bytes: Uint8Array, scale: number): Promise<Raster[]> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(bytes);
  try {
    const rasters: Raster[] = [];
    for (const page of document.pages()) {
      const { width, height, data } = await page.render({ scale, render: 'bitmap' });
      rasters.push({ width, height, data: withoutAlpha(data, width * height) });
    }
    return rasters;
  } finally {
    document.destroy();
  }
}

/** The library has already converted PDFium's colour channel order. */
function withoutAlpha(data: Uint8Array, count: number): Uint8Array {
  const rgb = new Uint8Array(count * 3);
  for (let pixel = 0; pixel < count; pixel += 1) {
    rgb[pixel * 3] = data[pixel * 4] ?? 0;
    rgb[pixel * 3 + 1] = data[pixel * 4 + 1] ?? 0;
    rgb[pixel * 3 + 2] = data[pixel * 4 + 2] ?? 0;
  }
  return rgb;
}
