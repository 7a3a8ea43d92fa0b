// The emails that a test server wrote to its outbox, parsed.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { vi } from 'vitest';

export interface Letter {
  to: string;
  /** Reply-To; empty if it is the sender. */
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  /** The link of the button, empty if there is none. */
  link: string;
  /** The code to type in. */
  code: string;
}

/** @param raw an email as sent by SMTP */
export async function readLetter(raw: string | Uint8Array): Promise<Letter> {
  const mail: Email = await PostalMime.parse(raw);
  const text = mail.text ?? '';
  return {
    to: mail.to?.map(({ address }) => address).join(', ') ?? '',
    replyTo: mail.replyTo?.map(({ address }) => address).join(', ') ?? '',
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? '',
    code: /\b\d{6}\b/.exec(text)?.[0] ?? '',
  };
}

export async function letters(dataDir: string): Promise<Letter[]> {
  const outbox = path.join(dataDir, 'outbox');
  const files = await readdir(outbox).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const read = files.sort().map((file) => readFile(path.join(outbox, file)).then(readLetter));
  return Promise.all(read);
}

/** Waits for the emails to this address, which are sent after the response, and returns the newest. */
export async function newestLetter(dataDir: string, to: string, count = 1): Promise<Letter> {
  return vi.waitFor(
    async () => {
      const mine = (await letters(dataDir)).filter((letter) => letter.to === to);
      const newest = mine.at(-1);
      if (newest === undefined || mine.length < count) {
        throw new Error(`${mine.length} emails to ${to}, expected ${count}.`);
      }
      return newest;
    },
    { timeout: 30_000, interval: 20 },
  );
}
