import type { Mutation } from '../mutation.ts';

/** The outside world: mail, identity providers, the document store and outbound requests. */
export const providersMutations: readonly Mutation[] = [
  {
    id: 'encoded-words',
    hurts: 'A landlord’s title breaks the subject line and adds headers to a mail.',
    file: 'providers/mail/compose-mail.ts',
    text: "subject: subject.replaceAll('=?', '= ?')",
    replacement: 'subject: subject.trim()',
    tests: ['providers/mail-smtp'],
  },
  {
    id: 'one-recipient',
    hurts: 'An address with a comma sends an invitation to strangers.',
    file: 'providers/mail/compose-mail.ts',
    text: "to: { name: '', address: to }",
    replacement: 'to: to',
    tests: ['providers/mail-smtp'],
  },
  {
    id: 'replayed-provider-message',
    hurts: 'A recorded message of the identity provider is replayed forever.',
    file: 'providers/identity/stripe-identity.ts',
    text: 'constructEvent(body, signature, secret)',
    replacement: 'constructEvent(body, signature, secret, Number.MAX_SAFE_INTEGER)',
    tests: ['providers/stripe-forgeries'],
  },
  {
    id: 'session-of-flow',
    hurts: 'One person is verified by the identity check of another.',
    file: 'providers/identity/stripe-identity.ts',
    text: 'if (session.client_reference_id !== flow.id)',
    replacement: "if (session.client_reference_id === '' && flow.id)",
    tests: ['providers/stripe-forgeries'],
  },
  {
    id: 'attachment-digest',
    hurts: 'A replaced identity document is kept as evidence.',
    file: 'providers/identity/identity-attachments.ts',
    text: '.digest().equals(digest.value)',
    replacement: '.digest().equals(digest.value.subarray(0, 0)) && bytes.length === 0',
    tests: ['providers/identity-documents'],
  },
  {
    id: 'attachment-addresses',
    hurts: 'An identity provider’s answer makes the service read internal hosts.',
    file: 'providers/identity/identity-attachments.ts',
    text: 'url.origin === issuer.origin',
    replacement: 'url.protocol === issuer.protocol',
    tests: ['providers/identity-documents'],
  },
  {
    id: 'document-size',
    hurts: 'One upload fills the disk.',
    file: 'providers/documents/receive-document.ts',
    text: 'if (sizeBytes > limitMib * MIB)',
    replacement: 'if (sizeBytes > 1024 * limitMib * MIB)',
    tests: ['providers/document-stores'],
  },
  {
    id: 'document-digest',
    hurts: 'The document of another person is returned in the place of one.',
    file: 'providers/documents/read-document.ts',
    text: "if (hash.digest('hex') !== sha256) throw changed();",
    replacement: "if (hash.digest('hex').length !== sha256.length) throw changed();",
    tests: ['providers/document-stores'],
  },
];
