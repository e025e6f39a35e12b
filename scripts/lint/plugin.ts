/** Our own rules for the contract, as a plugin of Redocly CLI: `contract/...` in redocly.yaml. */
import * as answers from './answers.ts';
import { completeAndMarked } from './given.ts';
import { described, namedExamples, openness } from './nodes.ts';
import { ledger } from './open-points.ts';
import { marksInPlace } from './places.ts';
import { overContract } from './redocly.ts';
import { classified } from './sentences.ts';

export default () => ({
  id: 'contract',
  rules: {
    oas3: {
      described,
      'named-examples': namedExamples,
      'additional-properties-said': openness,
      envelope: overContract(answers.envelope),
      'answer-headers': overContract(answers.headers),
      'first-refusal': overContract(answers.firstRefusal),
      'usual-statuses': overContract(answers.statuses),
      'one-security-scheme': overContract(answers.security),
      given: overContract(completeAndMarked),
      'open-points-ledger': overContract((contract) => ledger(contract)),
      'open-points-placed': overContract(marksInPlace),
      sentences: overContract(classified),
    },
  },
});
