import type { Tag } from '../data/locale.ts';
import type { Drawing, Target } from '../drawing.ts';
import { locate } from '../pdf/locate.ts';
import { NotPossible } from '../pdf/retype.ts';
import type { Random } from '../random.ts';
import type { Change } from '../truth.ts';
import { forged } from './forge.ts';

/** A genuine file and the value in it to tamper with. */
export interface Victim {
  bytes: Uint8Array;
  drawing: Drawing;
  target: Target;
  change: Change & { place: NonNullable<Change['place']> };
  created: Date;
  random: Random;
}

/** @throws NotPossible when the file does not show the value as text */
export async function victimOf(
  bytes: Uint8Array,
  drawing: Drawing,
  about: { language: Tag; created: Date; random: Random; only?: readonly Target['name'][] },
): Promise<Victim> {
  const { random, created, language, only } = about;
  const open = drawing.targets.filter(({ name }) => !only || only.includes(name));
  if (open.length === 0) throw new NotPossible('Nothing to change.');
  // Chooses the kind of value first, because there are many more amounts than names.
  const name = random.pick([...new Set(open.map((target) => target.name))]);
  const target = random.pick(open.filter((candidate) => candidate.name === name));
  const place = await locate(bytes, target.page, target.text);
  if (!place) throw new NotPossible(`${target.text} is not shown as text on page ${target.page}.`);
  const { text, bound } = forged(target, language, random);
  const change = { target: target.name, page: target.page, before: target.text, after: text, bound, place };
  return { bytes, drawing, target, change, created, random };
}
