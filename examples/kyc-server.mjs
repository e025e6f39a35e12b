import { createServer } from 'node:http';

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, TENANT_ID } = process.env;
let verification; // One tenant, one process. In production: a row for each tenant, with the result beside it.

async function call(method, path, authorization) {
  const response = await fetch(BASE_URL + path, { method, headers: { Authorization: authorization } });
  const { status, message, data } = await response.json();
  if (status !== 'success') throw new Error(message);
  return data;
}

async function startVerification(tenantId) {
  const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
  const { access_token } = await call('POST', '/authenticate/token', basic);
  return call('GET', `/tenants/initiate-kyc/${tenantId}`, `Bearer ${access_token}`);
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST' && request.url === '/again') {
    verification = undefined;
    return response.writeHead(303, { Location: '/' }).end();
  }
  if (request.method !== 'GET' || request.url !== '/') return response.writeHead(404).end();
  try {
    verification ??= await startVerification(TENANT_ID);
    const { verification_url } = verification;
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `frame-src ${new URL(verification_url).origin}`,
      'Cache-Control': 'no-store',
    });
    response.end(PAGE.replace('{{verification_url}}', () => verification_url));
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end('Please try again in a moment.');
  }
});

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prove who you are</title>
<style>
  body { max-width: 40rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
  iframe { width: 100%; height: 40rem; border: 1px solid #ccc; border-radius: .5rem; }
</style>
</head>
<body>
<h1>Prove who you are</h1>
<iframe id="kyc" title="Identity verification" src="{{verification_url}}?height=1"></iframe>
<p id="result" role="status"></p>
<form id="again" method="post" action="/again" hidden><button></button></form>
<script>
const frame = document.getElementById('kyc');
const again = document.getElementById('again');
const ends = {
  KYC_COMPLETED: { text: 'Thank you. We are confirming the result.' },
  KYC_ERROR: { text: 'We could not verify you.', next: 'Try again' },
  KYC_USER_EXIT: { text: 'You have left the verification.', next: 'Continue' },
};

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== new URL(frame.src).origin || source !== frame.contentWindow) return;
  if (data?.event === 'KYC_HEIGHT') frame.style.height = data.height + 'px';
  else if (Object.hasOwn(ends, data)) show(ends[data]);
});

function show({ text, next = '' }) {
  document.getElementById('result').textContent = text;
  frame.hidden = true;
  again.hidden = next === '';
  again.firstChild.textContent = next;
}
</script>
</body>
</html>
`;

server.listen(process.env.PORT ?? 4001, '127.0.0.1', () => {
  console.log(`Open http://127.0.0.1:${server.address().port}`);
});
