import { byHand } from './by-hand.ts';
import { jsPdf } from './jspdf.ts';
import { pdfLib } from './pdf-lib.ts';
import { pdfkit, pdfkitEmbedded } from './pdfkit.ts';
import type { Producer } from './producer.ts';

/** Producers installed from npm alone. */
export const producers: readonly Producer[] = [byHand, jsPdf, pdfLib, pdfkit, pdfkitEmbedded];
