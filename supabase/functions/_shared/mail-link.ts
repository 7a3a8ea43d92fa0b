import { anonymousClient } from './clients.ts';

/**
 * Mails a sign-in link that opens the portal of clients.
 * @param origin of the page that asked, where the link leads
 * @returns code of the auth service's error, or undefined when the mail is on its way
 */
export async function mailClientLink(
  email: string,
  origin: string | null,
): Promise<string | undefined> {
  const redirect = origin === null ? {} : { emailRedirectTo: `${origin}/client` };
  const { error } = await anonymousClient({}).auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, ...redirect },
  });
  return error === null ? undefined : (error.code ?? 'not_sent');
}
