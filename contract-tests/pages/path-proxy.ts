import { createServer, request } from 'node:http';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';

/** A proxy that serves its target below a path prefix, and nothing else. */
export async function addPath(path: string, target: string): Promise<RunningServer> {
  const server = createServer((req, res) => {
    if (!req.url?.startsWith(`${path}/`)) return res.writeHead(404).end();
    const { method, headers } = req;
    const onward = request(target + req.url.slice(path.length), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
    });
    return req.pipe(onward);
  });
  const { url, stop } = await listen(server, 0);
  return { url: url + path, stop };
}
