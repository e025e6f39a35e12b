import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { authority, type Certificate, selfSigned, trust } from '../../harness/peers/certificates.ts';
import { answer, HostileReceiver } from '../../harness/peers/hostile-receiver.ts';
import { OutboundError } from '../../providers/outbound/outbound-error.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

databases('none');

describe('an endpoint’s TLS certificate', () => {
  let trusted: Awaited<ReturnType<typeof authority>>;
  let distrust: () => void;
  const receivers: HostileReceiver[] = [];
  const environment = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

  before(async () => {
    trusted = await authority('Trusted in a test');
    distrust = trust(trusted);
  });
  after(() => distrust());
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
    if (environment === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = environment;
  });

  const receive = async (certificate: Certificate) => {
    const receiver = await HostileReceiver.start(answer('200 OK'), { tls: certificate });
    receivers.push(receiver);
    return receiver;
  };
  const post = async ({ port }: HostileReceiver, host = 'localhost') => {
    const outbound = createOutboundHttp({ allowLoopback: true, requireHttps: true });
    const outcome = await outbound.post(`https://${host}:${port}/hook`, {}, '{}').catch((error: unknown) => error);
    await outbound.close();
    return outcome;
  };
  const refuse = async (certificate: Certificate, message: string | RegExp, host?: string) => {
    const receiver = await receive(certificate);
    const error = await post(receiver, host);
    expect(error).to.be.instanceOf(OutboundError).with.property('kind', 'tls');
    expect(String(error)).to.match(new RegExp(message));
    expect(receiver.requests).to.deep.equal([]);
  };

  it('is accepted when a trusted authority issued it for this host', async () => {
    const receiver = await receive(await trusted.issue({}));
    expect(await post(receiver)).to.include({ statusCode: 200 });
    expect(receiver.requests).to.have.length(1);
  });

  it('is refused when it is self-signed, and nothing is sent', async () => {
    await refuse(await selfSigned(), /the TLS certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  });

  it('is refused when an unknown authority issued it', async () => {
    await refuse(
      await (await authority('Unknown to anyone')).issue({}),
      /not trusted: the server sends no intermediate certificate, or its CA is unknown \(UNABLE_TO_VERIFY_LEAF/,
    );
  });

  it('is refused when it has expired or is not valid yet', async () => {
    await refuse(await trusted.issue({ validUntil: -1 }), /the TLS certificate has expired/);
    await refuse(await trusted.issue({ validFrom: 2 }), /the TLS certificate is not valid yet/);
  });

  it('is refused when it is for another host', async () => {
    await refuse(await trusted.issue({ name: 'other.example' }), /the TLS certificate is for another host/);
    await refuse(await trusted.issue({}), /the TLS certificate is for another host/, '127.0.0.1');
  });

  it('is refused even when the environment disables verification', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    await refuse(await selfSigned(), /not trusted/);
  });

  it('is verified again for another endpoint of the same host', async () => {
    const outbound = createOutboundHttp({ allowLoopback: true, requireHttps: true });
    const good = await receive(await trusted.issue({}));
    const bad = await receive(await selfSigned());
    expect(await outbound.post(`https://localhost:${good.port}/`, {}, '{}')).to.include({ statusCode: 200 });
    const error = await outbound.post(`https://localhost:${bad.port}/`, {}, '{}').catch((failure: unknown) => failure);
    await outbound.close();
    expect(error).to.include({ kind: 'tls' });
    expect(bad.requests).to.deep.equal([]);
  });
});
