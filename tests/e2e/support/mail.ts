import { expect } from '@playwright/test';
import { type Letter, letters } from 'supabase-in-node/testing/mailbox';

/**
 * Waits for a mail, which is sent after the response.
 * @param type of its link, since an account gets other mails too
 * @returns the newest match
 */
export async function newestMail(
  dataDir: string,
  to: string,
  type: 'recovery' | 'magiclink' | 'email_change' | 'invite',
): Promise<Letter> {
  const newest = async () =>
    (await letters(dataDir)).findLast(
      (letter) => letter.to === to && letter.link.includes(`type=${type}`),
    );
  await expect.poll(newest).toBeDefined();
  const found = await newest();
  if (!found) throw new Error(`No mail for ${to}.`);
  return found;
}
