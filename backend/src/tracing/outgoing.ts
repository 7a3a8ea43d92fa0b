// Spans of calls to other systems. Names are those of the system, never an address, a key or a recipient.
import type { Mailer } from '../mail/mailer.ts';
import type { BlobStore } from '../services/storage/blobs/blob-store.ts';
import type { Tracing } from './tracing.ts';

export const tracedMailer = (mailer: Mailer, tracing: Tracing): Mailer => ({
  send: (mail) => tracing.outgoing('SMTP send', () => mailer.send(mail)),
});

/** A read ends with the first bytes: the rest is sent at the client's pace. */
export const tracedBlobs = (blobs: BlobStore, tracing: Tracing): BlobStore => ({
  ...blobs,
  write: (id, source) => tracing.outgoing('S3 put', () => blobs.write(id, source)),
  read: (id, options) => tracing.outgoing('S3 get', () => blobs.read(id, options)),
  check: (id, size) => tracing.outgoing('S3 head', () => blobs.check(id, size)),
  remove: (id) => tracing.outgoing('S3 delete', () => blobs.remove(id)),
});
