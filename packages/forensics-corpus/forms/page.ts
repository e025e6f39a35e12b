import { Pen } from '../drawing.ts';
import type { Random } from '../random.ts';

/** A cell of a form: its text and the position of its left or right end. */
export interface Cell {
  x: number;
  text: string;
  isRight?: boolean;
  isBold?: boolean;
}

export type Row = readonly Cell[];

export const left = (x: number, text: string): Cell => ({ x, text });
export const right = (x: number, text: string): Cell => ({ x, text, isRight: true });
export const bold = (cell: Cell): Cell => ({ ...cell, isBold: true });

/** One page of rows, from top to bottom; a number is a gap in points. */
export type Form = readonly (Row | number)[];

export interface LegalPayslip {
  form: Form;
  /** Net pay as shown. */
  net: string;
  /** The salary, gross pay and net pay in cents, if the form shows contributions that law fixes, and how it writes them. */
  pay?: { salary: number; gross: number; net: number; write: (cents: number) => string };
}

export function penOf(form: Form, random: Random): Pen {
  const pen = new Pen();
  pen.newSheet();
  const size = random.pick([7.5, 8, 8.5]);
  const leading = size * random.pick([1.25, 1.4, 1.6]);
  let y = 46;
  for (const row of form) {
    if (typeof row === 'number') {
      y += row;
      continue;
    }
    for (const { x, text, isRight, isBold } of row)
      pen.text(x, y, text, { size, face: isBold ? 'sans-bold' : 'sans', align: isRight ? 'right' : 'left' });
    y += leading;
  }
  return pen;
}

/** Writes cents as a country does. */
export function money(thousands: string, decimal: string): (cents: number) => string {
  return (cents) => {
    const size = Math.abs(cents);
    const whole = String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+(?!\d))/g, thousands);
    return `${cents < 0 ? '-' : ''}${whole}${decimal}${String(size % 100).padStart(2, '0')}`;
  };
}

export const rate = (value: number, decimals = 2) => value.toFixed(decimals).replace('.', ',');

export const share = (base: number, percent: number) => Math.round((base * percent) / 100);

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
