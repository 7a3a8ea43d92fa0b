// Stores an enquiry. Loaded only when a visitor sends one: the client library is larger than the page.
import { createClient } from '@supabase/supabase-js';
import { z } from 'zod';
import type { ContactMessage } from '../schema.ts';

const configSchema = z.object({ supabaseUrl: z.url(), supabaseAnonKey: z.string().min(1) });

/** PostgreSQL's code for a row whose id is already there. */
const ALREADY_STORED = '23505';

/**
 * Sends a message as an anonymous visitor, whoever is signed in on this browser.
 * @param id made by the caller, else by the database; sending the same id again stores nothing twice
 * @throws if the message could not be stored
 */
export async function sendContactMessage(
  id: string | undefined,
  message: ContactMessage,
): Promise<void> {
  const response = await fetch('/app-config.json');
  if (!response.ok) throw new Error(`The configuration answered with status ${response.status}.`);
  const config = configSchema.parse(await response.json());
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const row = { id, ...message, company: message.company || null };
  const { error } = await client.from('contact_messages').insert(row);
  if (error && error.code !== ALREADY_STORED) {
    throw new Error('The message was not stored.', { cause: error });
  }
}
