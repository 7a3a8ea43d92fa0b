// Sends mail by SMTP, or without SMTP_URL writes .eml files to DATA_DIR/outbox.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Organisation } from '../organisation.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Defaults to the sender. */
  replyTo?: { name: string; address: string };
  attachments?: { filename: string; content: Buffer; contentType: string }[];
}

export interface Mailer {
  /** @returns the file, if there is no SMTP server; @throws the SMTP error */
  send(mail: Mail): Promise<{ file?: string }>;
}

export function openMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  sender: Pick<Organisation, 'name' | 'email'>,
): Mailer {
  const from = config.mailFrom ?? { name: sender.name, address: sender.email };
  const { smtpUrl } = config;
  if (smtpUrl !== undefined) {
    const transport = createTransport(smtpUrl);
    return {
      send: async (mail) => {
        await transport.sendMail({ ...mail, from });
        return {};
      },
    };
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const outbox = path.join(config.dataDir, 'outbox');
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail({ ...mail, from });
      if (!(message instanceof Buffer)) throw new Error('The mail was not buffered.');
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      // Names sort by time. Links in mails sign users in, so only the owner may read the file.
      const time = new Date().toISOString().replaceAll(':', '-');
      const file = path.join(outbox, `${time}-${crypto.randomUUID()}.eml`);
      await writeFile(file, message, { mode: 0o600 });
      return { file };
    },
  };
}
