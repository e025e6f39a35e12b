import { consistentRewrite } from '../tampered/consistent.ts';
import { outlinedValues } from '../tampered/outlined.ts';
import * as several from '../tampered/several.ts';
import type { TamperedMethod } from '../truth.ts';
import { digitalPaper, type Made, type Stage, written } from './stage.ts';

type Edit = (victims: several.Victims) => Promise<Uint8Array>;

/** Edits by the number of values that they change; without a number, all amounts of a page. */
const edits: Partial<Record<TamperedMethod, { count?: number; edit: Edit }>> = {
  'foreign-three': { count: 3, edit: several.foreignValues },
  'foreign-all': { edit: several.foreignValues },
  'picture-value': { count: 1, edit: several.picturedValues },
  'outlined-value': { count: 1, edit: outlinedValues },
  'picture-over': { count: 1, edit: several.pictureOverValues },
  'text-removed': { count: 1, edit: several.removedValues },
};

export const severalValuesMethods = [...Object.keys(edits), 'consistent-rewrite'] as readonly TamperedMethod[];

export async function severalValues(method: TamperedMethod, stage: Stage): Promise<Made> {
  const { producer, random } = stage;
  const isConsistent = method === 'consistent-rewrite';
  const paper = await digitalPaper(stage, isConsistent ? { subjects: ['payslip'] } : {});
  const bytes = await written(stage, paper);
  const { drawing, locale } = paper;
  if (isConsistent)
    return { paper, producer: producer.name, ...(await consistentRewrite({ bytes, drawing, random }, locale)) };
  const how = edits[method];
  if (how === undefined) throw new Error(`No PDF is tampered by ${method}.`);
  const { count, edit } = how;
  const about = { language: locale.tag, random, ...(count === undefined ? {} : { count }) };
  const victims = await several.victimsOf(bytes, drawing, about);
  const edited = await edit(victims);
  return { bytes: edited, paper, producer: producer.name, changes: victims.values.map(({ change }) => change) };
}
