import { PDFiumLibrary } from '@hyzyla/pdfium';
import { type Pixels, Unreadable } from '../model.ts';

/** Renders the pages of a PDF. */
export interface Renderer {
  readonly pages: number;
  /**
   * Renders a page (from 1) at `scale` pixels per point; `width` and `height` are in points, as displayed.
   * @throws Unreadable
   */
  draw(page: number, scale: number): Promise<{ pixels: Pixels; width: number; height: number }>;
}

/** An A4 page at 400 dpi has 15 million. */
const MAX_PIXELS = 20_000_000;
const DAMAGED = 'The file is damaged or encrypted, and its pages cannot be drawn.';

let library: Promise<PDFiumLibrary> | undefined;

/** PDFium in WebAssembly, which has its own memory. @throws Unreadable */
export async function openRenderer(bytes: Uint8Array): Promise<Renderer> {
  library ??= PDFiumLibrary.init();
  const loaded = await library;
  const file = await loaded.loadDocument(bytes).catch(() => {
    throw new Unreadable(DAMAGED);
  });
  const pages = file.getPageCount();
  return {
    pages,
    async draw(number, scale) {
      if (number < 1 || number > pages) throw new Unreadable(`The file has no page ${number}.`);
      const page = file.getPage(number - 1);
      const { originalWidth: width, originalHeight: height } = page.getOriginalSize();
      if (!(width * scale >= 1 && height * scale >= 1)) throw new Unreadable(`Page ${number} has no size.`);
      if (width * height * scale * scale > MAX_PIXELS) throw new Unreadable(`Page ${number} is too large to be drawn.`);
      const drawn = await page.render({ scale }).catch(() => {
        throw new Unreadable(DAMAGED);
      });
      return { pixels: withoutAlpha(drawn.width, drawn.height, drawn.data), width, height };
    },
  };
}

function withoutAlpha(width: number, height: number, drawn: Uint8Array): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    data[to] = drawn[from] ?? 0;
    data[to + 1] = drawn[from + 1] ?? 0;
    data[to + 2] = drawn[from + 2] ?? 0;
  }
  return { width, height, data };
}
