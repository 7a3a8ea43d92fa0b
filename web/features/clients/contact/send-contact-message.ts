import type { ContactMessage } from '#shared/contact-message.ts';
import { backend } from '#web/lib/supabase/client.ts';

/** SQLSTATE unique_violation: a message with this id is already stored. */
const ALREADY_STORED = '23505';

/**
 * Stores an enquiry as an anonymous visitor, even if a user is signed in on this browser. In a file of its own,
 * loaded on sending: the Supabase client is larger than the page.
 * @param id made by the caller, or by the database; sending the same id again stores nothing twice
 * @returns the server's explanation if it refused the message because too many came from this address
 * @throws if the message could not be stored for any other reason
 */
export async function sendContactMessage(
  id: string | undefined,
  message: ContactMessage,
): Promise<{ refused?: string }> {
  await backend.connect();
  const row = { ...message, id, company: message.company || null };
  const client = await backend.visitorClient();
  // No select(): visitors may not read the table.
  const { error, status } = await client.from('contact_messages').insert(row);
  if (status === 429 && error) return { refused: error.message };
  if (error && error.code !== ALREADY_STORED) {
    throw new Error('The message was not stored.', { cause: error });
  }
  return {};
}
