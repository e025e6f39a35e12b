import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { decode, encode } from 'dns-packet';

/** The answer to the nth query for a name's addresses, from 0; null is never answered, undefined does not exist. */
type Zone = (name: string, asked: number, type: string) => string[] | null | undefined;

const NAME_ERROR = 3;
const AUTHORITATIVE = 1 << 10;

/** A name server whose answers may change. Besides IP addresses, a zone may contain `alias.example>10.0.0.5`, a CNAME and its target. */
export class DnsServer {
  readonly questions: string[] = [];
  address = '';
  private readonly zone: Zone;
  private readonly socket = createSocket('udp4');

  private constructor(zone: Zone) {
    this.zone = zone;
    this.socket.on('message', (message, from) => {
      const { id, questions = [] } = decode(message);
      const [question] = questions;
      if (!question) return;
      const { name, type } = question;
      const asked = this.questions.filter((earlier) => earlier === `${type} ${name}`).length;
      this.questions.push(`${type} ${name}`);
      const targets = this.zone(name, asked, type);
      if (targets === null) return;
      const flags = AUTHORITATIVE | (targets === undefined ? NAME_ERROR : 0);
      const answers = (targets ?? []).flatMap((target) => records(name, target)).filter((a) => a.type !== other(type));
      this.socket.send(
        encode({ type: 'response', id: id ?? 0, flags, questions: [question], answers }),
        from.port,
        from.address,
      );
    });
  }

  static async start(zone: Zone): Promise<DnsServer> {
    const server = new DnsServer(zone);
    await new Promise<void>((resolve) => server.socket.bind(0, '127.0.0.1', resolve));
    server.address = `127.0.0.1:${server.socket.address().port}`;
    return server;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }
}

type Address = { type: 'A' | 'AAAA'; name: string; data: string; ttl: number };
type Alias = { type: 'CNAME'; name: string; data: string; ttl: number };

function records(name: string, target: string): (Address | Alias)[] {
  const [alias = '', ...rest] = target.split('>');
  if (rest.length > 0) return [{ type: 'CNAME', name, data: alias, ttl: 0 }, ...records(alias, rest.join('>'))];
  return [{ type: isIPv6(target) ? 'AAAA' : 'A', name, data: target, ttl: 0 }];
}

function other(type: string): string {
  return type === 'A' ? 'AAAA' : 'A';
}
