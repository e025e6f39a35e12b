import { pngOf } from '../../image/png.ts';
import { type Evidence, passed, type Rule, verdictOf } from '../../rule.ts';

/** Keywords under which image generators store what they were asked for, with what must stand in the text. */
const GENERATORS: readonly (readonly [keyword: string, mark: string, name: string])[] = [
  ['parameters', 'Sampler', 'Stable Diffusion'],
  ['prompt', '"class_type"', 'ComfyUI'],
  ['workflow', '"nodes"', 'ComfyUI'],
  ['invokeai_metadata', '{', 'InvokeAI'],
  ['sd-metadata', '{', 'InvokeAI'],
  ['Dream', 'Steps', 'InvokeAI'],
  ['Comment', '"sampler"', 'NovelAI'],
];

const SHOWN = 160;

/**
 * Image generators write what they were asked for, and with which settings, into a PNG's text chunks; no scanner, phone or
 * bank does. Programs that name themselves are looked at by camera-claims.
 *
 * Known false positives: none known; a genuine picture that was run through a generator to enlarge it would say so here too.
 *
 * Source: PNG third edition 11.3.3; the generators' own source code for the keywords.
 */
export const pngResidue: Rule = {
  name: 'png-residue',
  version: 1,
  title: 'What image generators leave in the file',
  strength: 'medium',
  family: 'image',
  appliesTo: ['png'],
  run({ bytes }) {
    const { texts } = pngOf(bytes);
    const evidence: Evidence[] = [];
    const names = new Set<string>();
    for (const [keyword, mark, name] of GENERATORS) {
      const text = texts.get(keyword);
      if (text?.includes(mark) !== true) continue;
      names.add(name);
      evidence.push({ after: text.slice(0, SHOWN), details: { keyword, generator: name } });
    }
    if (evidence.length === 0) return passed;
    return verdictOf([
      { message: `The file carries the settings of an image generator, ${[...names].join(' or ')}.`, evidence },
    ]);
  },
};
