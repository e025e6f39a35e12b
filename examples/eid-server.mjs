import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const { BASE_URL, TOKEN, TENANT_ID, PORT = '4002' } = process.env;
const flows = new Map(); // the tenant of each nonce; in production a table

const server = createServer(async ({ url, headers }, response) => {
  const { origin, pathname, searchParams } = new URL(url, `http://127.0.0.1:${server.address().port}`);
  if (pathname === '/start') {
    const nonce = randomBytes(32).toString('base64url');
    flows.set(nonce, TENANT_ID);
    const answer = await fetch(`${BASE_URL}/tenants/initiate-eid/${TENANT_ID}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_url: `${origin}/eid/finished?flow=${nonce}` }),
    });
    const { message, data } = await answer.json();
    if (!data) return response.writeHead(502).end(message);
    response.setHeader('Set-Cookie', `flow=${nonce}; HttpOnly; SameSite=Lax; Path=/eid`);
    return response.writeHead(303, { Location: data.verification_link }).end();
  }
  const nonce = searchParams.get('flow'); // Only a success comes back with one.
  const tenantId = headers.cookie?.includes(`flow=${nonce}`) ? flows.get(nonce) : undefined;
  if (!tenantId) return response.writeHead(404).end('This link was used, or is not yours.');
  flows.delete(nonce);
  console.log(`${tenantId} succeeded`);
  response.writeHead(200).end('Thank you.');
});
server.listen(PORT, '127.0.0.1', () => console.log(`Open http://127.0.0.1:${server.address().port}/start`));
