import { pngOf } from '../../image/png.ts';
import { type Evidence, type Rule, verdictOf } from '../../rule.ts';

/** Keywords under which image generators store their prompts, and what the text must contain. */
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
 * Image generators write their prompts and settings into a PNG's text chunks; no scanner, phone or bank does. The rule `camera-claims`
 * handles programs that name themselves.
 *
 * Known false positives: none known. A genuine picture that was enlarged by a generator would be a finding too.
 *
 * Source: PNG third edition 11.3.3; the generators' own source code for the keywords.
 */
export const pngResidue: Rule = {
  name: 'png-residue',
  version: 1,
  title: 'What image generators leave in the file',
  strength: 'medium',
  family: 'image',
  substance: true,
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
    const message = `The file carries the settings of an image generator, ${[...names].join(' or ')}.`;
    return verdictOf(evidence.length === 0 ? [] : [{ message, evidence }], {
      count: texts.size,
      what: 'text of the file',
      many: 'texts of the file',
      none: 'The file carries no texts.',
    });
  },
};
