// Stores an enquiry. Loaded only when a visitor sends one: the client library is larger than the page.

import type { ContactMessage } from '#shared/contact-message.ts';
import { connect, visitorClient } from '#web/lib/supabase/client.ts';
import { TooManyMessages } from '../limit.ts';

/** PostgreSQL's code for a row whose id is already there. */
const ALREADY_STORED = '23505';

/**
 * Sends a message as an anonymous visitor, whoever is signed in on this browser.
 * @param id made by the caller, else by the database; sending the same id again stores nothing twice
 * @throws TooManyMessages; an Error if the message could not be stored for any other reason
 */
export async function sendContactMessage(
  id: string | undefined,
  message: ContactMessage,
): Promise<void> {
  await connect();
  const row = { ...message, id, company: message.company || null };
  const client = await visitorClient();
  // Visitors may not read the table, so nothing is asked back.
  const { error, status } = await client.from('contact_messages').insert(row);
  if (status === 429 && error) throw new TooManyMessages(error.message);
  if (error && error.code !== ALREADY_STORED) {
    throw new Error('The message was not stored.', { cause: error });
  }
}
