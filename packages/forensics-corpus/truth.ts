import type { Kind } from '@tenant-screening/forensics/model';
import type { Tag } from './data/locale.ts';
import type { TargetName } from './drawing.ts';
import type { Place } from './pdf/locate.ts';

/** The ground truth of a sample. */

const genuineMethods = [
  ...(['as-produced', 'linearised', 'qpdf-resaved', 'object-streams', 'pdf-lib-resaved', 'encrypted'] as const),
  ...(['signed', 'timestamped', 'form-filled', 'watermarked', 'stamped', 'annotated', 'merged', 'printed'] as const),
  ...(['compressed', 'scanned', 'scanned-with-text', 'redistilled'] as const),
  ...(['photo', 'messenger', 'camera', 'screenshot', 'scan-picture'] as const),
] as const;

const tamperedMethods = [
  ...([
    'overlay',
    'incremental-edit',
    'rewrite-orphan',
    'rewrite-clean',
    'in-place',
    'metadata',
    'print-scan',
  ] as const),
  ...(['after-signing', 'font-swap', 'free-text', 'scan-splice', 'replaced-picture', 'signed-rewrite'] as const),
  ...(['foreign-three', 'foreign-all', 'picture-value', 'picture-over', 'text-removed', 'consistent-rewrite'] as const),
  ...(['hidden-original', 'outlined-value', 'metadata-scrub'] as const),
  ...(['splice', 'copy-move', 'edited-camera', 'edited-screenshot', 'retaken'] as const),
] as const;

export type GenuineMethod = (typeof genuineMethods)[number];
export type TamperedMethod = (typeof tamperedMethods)[number];
export type Method = GenuineMethod | TamperedMethod;
export type Subject = 'statement' | 'payslip' | 'identity';

export interface Change {
  /** `metadata` is not a value on a page. */
  target: TargetName | 'metadata';
  /** From 1; 0 for metadata. */
  page: number;
  before: string;
  after: string;
  /** Whether other figures of the document contradict the new value. */
  bound: boolean;
  /** In points of the page, or pixels of a picture; absent where it was not found. */
  place?: Place;
}

export interface Truth {
  genuine: boolean;
  method: Method;
  kind: Kind;
  subject: Subject;
  layout: string;
  producer: string;
  language: Tag;
  /** Empty for a genuine document. */
  changes: Change[];
}

export interface Sample {
  /** Identifies how to reproduce it: seed, number and kind. */
  name: string;
  bytes: Uint8Array;
  truth: Truth;
}

export function isGenuine(method: Method): method is GenuineMethod {
  return genuineMethods.some((name) => name === method);
}
