import { hash } from 'node:crypto';

const LENGTH = 22;

/** Names a content in addresses and ETags: another content has another digest. */
export function contentDigest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, LENGTH);
}
