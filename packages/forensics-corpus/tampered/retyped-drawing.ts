import type { Drawing, Target } from '../drawing.ts';

/** A drawing made with another value from the start, as by forgers who recreate a document instead of editing it. */
export function retypedDrawing(drawing: Drawing, target: Target, after: string): Drawing {
  const sheets = drawing.sheets.map((sheet, index) => {
    if (index + 1 !== target.page) return sheet;
    const marks = sheet.marks.map((mark, number) =>
      number === target.mark && mark.kind === 'text' ? { ...mark, text: mark.text.replace(target.text, after) } : mark,
    );
    return { ...sheet, marks };
  });
  return { ...drawing, sheets };
}
