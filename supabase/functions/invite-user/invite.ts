import type { SupabaseClient } from '@supabase/supabase-js';
import { z } from 'zod';
import { Refusal } from '../_shared/answer.ts';

const Invitation = z.object({
  email: z
    .string({ error: 'Email is required' })
    .trim()
    .toLowerCase()
    .max(255, 'Email must be less than 255 characters')
    .pipe(z.email('Invalid email address')),
  full_name: z
    .string({ error: 'Full name is required' })
    .trim()
    .min(1, 'Full name is required')
    .max(200, 'Full name must be less than 200 characters'),
  password: z
    .string({ error: 'Temporary password is required' })
    .min(8, 'The temporary password must be at least 8 characters'),
});
export type Invitation = z.infer<typeof Invitation>;

/** @throws Refusal 400 with the first validation message */
export async function readInvitation(request: Request): Promise<Invitation> {
  const body: unknown = await request.json().catch(() => {
    throw new Refusal(400, 'bad_json', 'The request body is not JSON.');
  });
  const parsed = Invitation.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, 'validation_failed', parsed.error.issues[0]?.message ?? 'Invalid input');
}

/** Errors of the auth service as the admin sees them. */
const MESSAGES: Record<string, [status: number, message: string]> = {
  email_exists: [409, 'There is already an account with this email address.'],
  over_email_send_rate_limit: [429, 'Too many mails to this address. Please try again later.'],
};

type AuthFailure = { code?: string; status?: number; message: string };

function refusalOf({ code = 'refused', status = 500, message }: AuthFailure): Refusal {
  const [shownStatus, shownMessage] = MESSAGES[code] ?? [status, message];
  if (shownStatus >= 500) {
    return new Refusal(502, 'not_invited', 'The invitation could not be sent. Please try again.');
  }
  return new Refusal(shownStatus, code, shownMessage);
}

/**
 * Creates the account, mails the invitation and confirms the account: all three, or no account. The admin passes the
 * temporary password on; it is never mailed. With `must_change_password` the user can read only their own profile until
 * they choose another password.
 * @param origin of the admin's page, where the link in the mail leads
 * @returns id of the new account
 * @throws Refusal if the address has an account, the password is weak, or the mail can't be sent
 */
export async function invite(
  service: SupabaseClient,
  { email, full_name, password }: Invitation,
  origin: string | null,
): Promise<string> {
  const { admin } = service.auth;
  const created = await admin.createUser({
    email,
    password,
    user_metadata: { full_name },
    app_metadata: { must_change_password: true },
  });
  if (created.error !== null) throw refusalOf(created.error);
  const { id } = created.data.user;
  try {
    // Before confirming: a confirmed account can't be invited.
    const redirect = origin === null ? {} : { redirectTo: `${origin}/auth` };
    const mailed = await admin.inviteUserByEmail(email, redirect);
    if (mailed.error !== null) throw refusalOf(mailed.error);
    const opened = await admin.updateUserById(id, { email_confirm: true });
    if (opened.error !== null) throw refusalOf(opened.error);
    return id;
  } catch (error) {
    // Otherwise the address would be taken by an account that no one can use.
    const { error: left } = await admin.deleteUser(id);
    if (left !== null) console.error(`account ${id} of a failed invitation was not deleted`, left);
    throw error;
  }
}
