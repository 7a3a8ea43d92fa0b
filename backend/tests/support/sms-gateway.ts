// An SMS gateway that receives the send_sms hook and checks its signature.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { cleanUp } from './clean-up.ts';
import { type Queue, queue } from './realtime.ts';

const KEY = Buffer.from('a key for the tests of messages!').toString('base64');
const Payload = z.object({
  user: z.object({ id: z.string(), phone: z.string() }),
  sms: z.object({ otp: z.string().default(''), message: z.string() }),
});

export interface Sms {
  phone: string;
  text: string;
  /** Empty in a message without one. */
  code: string;
  /** Whether the signature follows the Standard Webhooks specification. */
  isSigned: boolean;
}

/** @returns the messages in order, and lines for config.toml */
export async function smsGateway(): Promise<{ messages: Queue<Sms>; config: string }> {
  const messages = queue<Sms>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': given,
    } = request.headers;
    const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(
      `${id}.${at}.${body}`,
    );
    const { user, sms } = Payload.parse(JSON.parse(body));
    const isSigned = given === `v1,${signature.digest('base64')}`;
    messages.push({ phone: user.phone, text: sms.message, code: sms.otp, isSigned });
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const config = `[auth.hook.send_sms]\nenabled = true\nuri = "http://127.0.0.1:${port}/"\nsecrets = "v1,whsec_${KEY}"`;
  return { messages, config };
}
