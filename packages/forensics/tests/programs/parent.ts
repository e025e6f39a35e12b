import { once } from 'node:events';
import { startChild } from '../../isolation/child.ts';
import { pieceLength } from '../../isolation/frames.ts';

/** Starts the given programs, gives them work, prints their process ids, and waits to be killed. */
const [files = '', readable = '', cpuSeconds = ''] = process.argv.slice(2);
for (const file of files.split(',')) {
  const child = await startChild({
    file,
    arguments: [],
    readable: readable.split(','),
    addons: false,
    heapMib: 64,
    cpuSeconds: Number(cpuSeconds),
  });
  await once(child.output, 'data');
  if (file.includes('endless'))
    for (const piece of ['{}', ''].map((text) => Buffer.from(text)))
      child.input.write(Buffer.concat([pieceLength(piece), piece]));
  console.log(child.pid);
}
setInterval(() => undefined, 1000);
