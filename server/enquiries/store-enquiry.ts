// Stores an enquiry as an anonymous caller, so policies, limits and constraints apply.
import { createHash } from 'node:crypto';
import { DatabaseError } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { toNetwork } from 'supabase-in-node/network';
import { z } from 'zod';
import type { ContactMessage } from '../../shared/contact-message.ts';

const VISITOR = { role: 'anon', claims: '{"role":"anon"}' };
const ALREADY_STORED = '23505';

/** Raised by the database for too many enquiries from one address. */
const Limited = z.object({ message: z.string() });
const LimitDetail = z.object({
  status: z.literal(429),
  headers: z.object({ 'Retry-After': z.coerce.number().int().positive() }),
});

type Stored =
  | { kind: 'stored' }
  /** `retryAfter` in seconds. */
  | { kind: 'limited'; message: string; retryAfter: number }
  | { kind: 'failed'; error: unknown };

/** The same text from the same address on the same day has the same id: a reloaded page posts again. */
function idOf(address: string, message: ContactMessage): string {
  const day = new Date().toISOString().slice(0, 10);
  const hash = createHash('sha256')
    .update(JSON.stringify([address, day, message]))
    .digest('hex');
  // Version and variant bits of a version 8 UUID (RFC 9562, section 5.8).
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/** @param address of the visitor, as the limit counts it */
export async function storeEnquiry(
  database: Context['database'],
  address: string,
  message: ContactMessage,
): Promise<Stored> {
  const { name, email, company, message: text } = message;
  const statement = {
    text: `insert into public.contact_messages (id, name, email, company, message)
      values ($1, $2, $3, $4, $5)`,
    values: [idOf(address, message), name, email, company === '' ? null : company, text],
  };
  try {
    await database.callers.run(VISITOR, statement, {
      settings: [['request.headers', JSON.stringify({ 'x-forwarded-for': address })]],
      network: toNetwork(address),
    });
    return { kind: 'stored' };
  } catch (error) {
    if (!(error instanceof DatabaseError)) return { kind: 'failed', error };
    if (error.code === ALREADY_STORED) return { kind: 'stored' };
    return error.code === 'PGRST' ? limitOf(error) : { kind: 'failed', error };
  }
}

function limitOf(error: DatabaseError): Stored {
  const told = Limited.safeParse(JSON.parse(error.message));
  const detail = LimitDetail.safeParse(JSON.parse(error.detail ?? 'null'));
  if (!told.success || !detail.success) return { kind: 'failed', error };
  return {
    kind: 'limited',
    message: told.data.message,
    retryAfter: detail.data.headers['Retry-After'],
  };
}
