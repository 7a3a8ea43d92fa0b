// Makes the account, mails the invitation and opens the account: all three, or no account.
import type { SupabaseClient } from '@supabase/supabase-js';
import { Refusal } from '../_shared/answer.ts';
import type { Invitation } from './invitation.ts';

/** Refusals of the auth service in words for the admin. */
const WORDS: Record<string, [status: number, message: string]> = {
  email_exists: [409, 'There is already an account with this email address.'],
  over_email_send_rate_limit: [429, 'Too many mails to this address. Please try again later.'],
};

type AuthFailure = { code?: string; status?: number; message: string };

function refusalOf({ code = 'refused', status = 500, message }: AuthFailure): Refusal {
  const [said, words] = WORDS[code] ?? [status, message];
  if (said >= 500) {
    return new Refusal(502, 'not_invited', 'The invitation could not be sent. Please try again.');
  }
  return new Refusal(said, code, words);
}

/**
 * The temporary password is told by the admin and never mailed; `must_change_password` closes everything but the own
 * profile until the person has chosen another.
 * @param origin of the page that the admin uses, to which the mail's link leads
 * @returns id of the new account
 * @throws Refusal when the address has an account, the password is weak, or no mail can be sent
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
    // In this order: an account that is confirmed already can't be invited.
    const redirect = origin === null ? {} : { redirectTo: `${origin}/auth` };
    const mailed = await admin.inviteUserByEmail(email, redirect);
    if (mailed.error !== null) throw refusalOf(mailed.error);
    const opened = await admin.updateUserById(id, { email_confirm: true });
    if (opened.error !== null) throw refusalOf(opened.error);
    return id;
  } catch (error) {
    // Nobody could use it, and its address would be taken.
    const { error: left } = await admin.deleteUser(id);
    if (left !== null) console.error(`account ${id} of a failed invitation is left`, left);
    throw error;
  }
}
