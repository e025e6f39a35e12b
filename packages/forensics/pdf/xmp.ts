/** The contents of an XMP packet (ISO 16684-1), unparsed. */
export interface Xmp {
  /** The library that wrote the packet. */
  producer: string | undefined;
  creatorTool: string | undefined;
  created: string | undefined;
  modified: string | undefined;
  /** The recorded history of the document, oldest first. */
  history: XmpEvent[];
}

interface XmpEvent {
  action: string | undefined;
  agent: string | undefined;
  when: string | undefined;
}

const MAX_PACKET_BYTES = 2_000_000;
const LONGEST = 200;
const EVENTS = 200;

/** Searches for property names, as attributes or elements, because packets are often not well-formed XML. */
export function readXmp(data: Uint8Array): Xmp {
  const bytes = data.subarray(0, MAX_PACKET_BYTES);
  const isWide = bytes[0] === 0 || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const packet = new TextDecoder(isWide ? 'utf-16be' : 'utf-8').decode(bytes);
  const of = (...names: string[]) => names.map((name) => property(packet, name)).find((value) => value !== undefined);
  return {
    producer: of('pdf:Producer'),
    creatorTool: of('xmp:CreatorTool', 'xap:CreatorTool'),
    created: of('xmp:CreateDate', 'xap:CreateDate'),
    modified: of('xmp:ModifyDate', 'xap:ModifyDate'),
    history: history(packet),
  };
}

function property(packet: string, name: string): string | undefined {
  for (let at = packet.indexOf(name), tries = 0; at >= 0 && tries < 20; tries++) {
    const behind = packet.slice(at + name.length, at + name.length + 2 * LONGEST);
    const found =
      /^\s{0,9}=\s{0,9}"([^"]*)"/.exec(behind) ??
      /^\s{0,9}=\s{0,9}'([^']*)'/.exec(behind) ??
      /^>([^<]*)<\//.exec(behind);
    const value = found?.[1]?.trim();
    if (value) return plain(value).slice(0, LONGEST);
    at = packet.indexOf(name, at + name.length);
  }
  return undefined;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plain(text: string): string {
  return text.replace(/&(#x?[0-9a-fA-F]{1,6}|lt|gt|quot|apos|amp);/g, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
    const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
}

function history(packet: string): XmpEvent[] {
  const start = packet.search(/<(?:xmp|xap)MM:History/);
  if (start < 0) return [];
  const end = packet.indexOf('MM:History>', start + 12);
  const list = packet.slice(start, end < 0 ? start + 200_000 : end);
  return list
    .split('<rdf:li', EVENTS + 1)
    .slice(1)
    .map((item) => ({
      action: property(item, 'stEvt:action'),
      agent: property(item, 'stEvt:softwareAgent'),
      when: property(item, 'stEvt:when'),
    }));
}
