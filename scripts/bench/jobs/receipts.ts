import type { Result } from '../api/result.ts';
import type { Stage } from '../webhooks/stage.ts';
import { measureWhenWell } from '../webhooks/steady.ts';

/** From an event to its verified receipt, as `npm run bench:webhooks` measures it. */
export async function measureReceipts(stage: Stage, seconds: number): Promise<Result> {
  const { result } = await measureWhenWell(stage, seconds);
  const { database } = stage;
  return { ...result, marks: result.marks.map((mark) => ({ ...mark, database, limit: { most: mark.limit } })) };
}
