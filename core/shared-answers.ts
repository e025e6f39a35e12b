/**
 * Shares an answer: calls with the same key within `periodMs` get it instead of asking again, in this process. A failure is shared only by the
 * calls that wait for it. Limits what an outside party is asked, however often a page is opened.
 */
export function sharedAnswers<Answer>(periodMs: number): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (key, ask) => {
    const shared = answers.get(key);
    if (shared) return shared;
    const answer = ask();
    const forget = () => answers.delete(key);
    answers.set(key, answer);
    answer.then(() => void setTimeout(forget, periodMs).unref(), forget);
    return answer;
  };
}
