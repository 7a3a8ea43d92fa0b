// The mails that a server wrote to its outbox.
import { expect } from '@playwright/test';
import { type Letter, letters } from '#tests/support/mailbox.ts';

/** Waits for the mails to this address, which are sent after the answer. @returns the newest */
export async function newestMail(dataDir: string, to: string, count = 1): Promise<Letter> {
  const mine: Letter[] = [];
  await expect
    .poll(async () => {
      mine.splice(0, mine.length, ...(await letters(dataDir)).filter((letter) => letter.to === to));
      return mine.length;
    })
    .toBeGreaterThanOrEqual(count);
  const newest = mine.at(-1);
  if (!newest) throw new Error(`No mail for ${to}.`);
  return newest;
}
