/** What a person on their way through an application still has to do. */
export const journeyTexts = {
  step: (number: number, count: number) => `Step ${number} of ${count}`,
  names: { answer: 'your answer', profile: 'your profile', documents: 'your documents' },
  missing: (names: readonly string[]) =>
    `Still missing: ${new Intl.ListFormat('en', { type: 'conjunction' }).format(names)}.`,
  complete: 'Nothing is missing. You can come back with the same link to change your documents.',
};
