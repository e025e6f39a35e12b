/** A phrase that reads as translated, and what a native engineer writes instead. */
export interface Habit {
  pattern: RegExp;
  instead: string;
}

const ACTOR = 'name the actor: the caller, the operator, no other key';

/** Matched per line, without quoted single words. */
export const habits: Habit[] = [
  { pattern: word('[Ww]ho(?:m|s)?ever'), instead: ACTOR },
  {
    pattern: word('[Nn]obody|[Ss]omebody|[Ee]verybody|[Aa]nybody'),
    instead: `${ACTOR}, or "no one", "someone else", "everyone"`,
  },
  {
    pattern: word('(?:is|are|was|were|be|been|being) told(?! apart)'),
    instead: 'receives, learns, shows, is detected',
  },
  { pattern: word('hears? of|hears? nothing|heard of'), instead: 'receives, gets, learns about' },
  { pattern: word('by itself|by themselves'), instead: 'automatically, on its own, alone' },
  { pattern: word('but for'), instead: 'except' },
  { pattern: word('anew|afresh'), instead: 'again, from the start' },
  {
    pattern: /(?:\ban? [\w-]+|[A-Za-z]+s) of (?:yours|ours|theirs)\b(?! alone)/,
    instead: 'your ..., our ..., their ...',
  },
  { pattern: word('neither (?:does|do|did|is|are|was|were|has|have|can)'), instead: 'nor does, does not ... either' },
  { pattern: word('for ever'), instead: 'forever, permanently' },
  { pattern: word('in vain'), instead: 'without success, wrongly' },
  { pattern: word('is the case|no mistake'), instead: 'is true; is idempotent' },
  { pattern: word('(?:go|goes) on'), instead: 'continues, resumes' },
  {
    pattern: word('(?:is|are|was|were|be|been|being) (?:looked at|looked for|asked for)'),
    instead: 'is checked, searched for, requested',
  },
  { pattern: word('(?:is|are|was|were|be) tried again'), instead: 'is retried' },
  { pattern: word('puts? off|putting off'), instead: 'postpones' },
  { pattern: word('that (?:is|are|was|were) none'), instead: 'an invalid ..., an unknown ...' },
  { pattern: word('what (?:became|becomes|has become) of'), instead: 'the outcome of, the state of' },
  { pattern: word('the very (?!same|first|last|next)[a-z]+'), instead: 'the exact ...' },
  { pattern: word('(?:[Aa]t most|[Aa]t least|than|of|over|for|by|to|after) so many'), instead: 'this many' },
  { pattern: word('tells? (?:of|whether)'), instead: 'says, shows, reports' },
  { pattern: word('(?:gives?|gave|given) out'), instead: 'returns, serves, issues' },
  { pattern: word('to the letter|[Ii]t is said|all the same'), instead: 'verbatim; the message says; still' },
  { pattern: word('the (?:newest|latest|oldest) first'), instead: 'newest first' },
  {
    pattern: word('[Tt]he (?:forgetting|telling|asking|sending|looking) of'),
    instead: 'a noun: retention, the request',
  },
  { pattern: /(?:\/\*\*|^\s*\*|\/\/) Of /, instead: 'name what the value is: "The size of ...", not "Of ..."' },
  {
    pattern:
      /(?:^|[.:;|*/-] +)Of (?:an?|the|each|every|what|whom|those|these|this|that|all|several|its|their)\b[^.,;]*, (?:the \w+ \w|(?:it|they|there|this|these|what|we)\b)/,
    instead: 'subject, verb, object: "A read spends ...", not "Of a read, ..."',
  },
];

/** Phrases that are right where they stand. Each needs a reason; none is kept without a use. */
export const exceptions: { file: string; phrase: string; reason: string }[] = [
  { file: 'scripts/prose/habits.ts', phrase: '', reason: 'the list itself' },
  { file: 'contract-tests/lint/prose.test.ts', phrase: '', reason: 'examples of each habit' },
];

export interface Finding {
  /** From 1. */
  line: number;
  phrase: string;
  instead: string;
}

/** The habits in a text, in its order. A quoted single word is data: `'nobody'`. */
export function findingsIn(text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const prose = line.replace(/(['"`])[\w.@-]+\1/g, '$1$1');
    return habits.flatMap(({ pattern, instead }) => {
      const [phrase] = pattern.exec(prose) ?? [];
      return phrase === undefined ? [] : [{ line: index + 1, phrase: phrase.trim(), instead }];
    });
  });
}

/** Whole words, and not parts of names, addresses or paths. */
function word(alternatives: string): RegExp {
  return new RegExp(`(?<![\\w@/.-])(?:${alternatives})(?![\\w@/+-])`);
}
