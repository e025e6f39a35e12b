import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What a provider issued, by kind and id. It outlives the provider's instances, and therefore a key rotation. */
export type OidcMemory = Map<string, AdapterPayload>;

/** oidc-provider's adapter for one kind of record. The provider itself checks expiry. */
export function keepIn(memory: OidcMemory): (kind: string) => Adapter {
  return (kind) => {
    const key = (id: string) => `${kind}:${id}`;
    const findBy = async (field: 'uid' | 'userCode', value: string) =>
      [...memory].find(([name, kept]) => name.startsWith(`${kind}:`) && kept[field] === value)?.[1];
    return {
      find: async (id) => memory.get(key(id)),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      upsert: async (id, payload) => void memory.set(key(id), payload),
      destroy: async (id) => void memory.delete(key(id)),
      consume: async (id) => {
        const kept = memory.get(key(id));
        if (kept) kept['consumed'] = Math.floor(Date.now() / 1000);
      },
      revokeByGrantId: async (grantId) => {
        for (const [name, kept] of memory) if (kept.grantId === grantId) memory.delete(name);
      },
    };
  };
}
