/** The minimum cost of a delivery: sign and post, without reading or recording anything. */
import { randomUUID } from 'node:crypto';
import { moment, offer } from '../remote.ts';
import { signedFetch, signedPost } from './bare.ts';
import { eventBody } from './event-body.ts';

export type BareLoop = typeof functions;

const functions = {
  post: async (
    urls: string[],
    { count, inFlight, by }: { count: number; inFlight: number; by: 'request' | 'fetch' },
  ): Promise<{ seconds: number; cpuSeconds: number }> => {
    const send = by === 'fetch' ? signedFetch : signedPost;
    const [startedAt, cpu] = [moment(), process.cpuUsage()];
    let next = 0;
    const sendOn = async () => {
      for (let number = next++; number < count; number = next++)
        await send(urls[number % urls.length] ?? '', randomUUID(), JSON.stringify(eventBody(number)));
    };
    await Promise.all(Array.from({ length: inFlight }, sendOn));
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: (moment() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
  },
};
offer(functions);
