// A real SMTP server that records its emails.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { cleanUp } from './clean-up.ts';
import { type Queue, queue } from './realtime.ts';

/** @returns its URL for SMTP_URL, and the raw emails in order */
export async function smtpServer(): Promise<{ url: string; mails: Queue<string> }> {
  const mails = queue<string>();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  cleanUp(() => new Promise<void>((resolve) => smtp.close(resolve)));
  const { port } = smtp.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails };
}
