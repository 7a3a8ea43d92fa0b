// A push service of a browser vendor: takes messages (RFC 8030) and decrypts them as the browser would (RFC 8188, 8291).
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from 'supabase-in-node/testing/clean-up';

export interface Browser {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Decrypted payloads, oldest first. */
  received: Record<string, string>[];
  /** Status of the next answers; 201 when there are none. */
  answers: number[];
  authorization: string | undefined;
}

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
};

export async function pushService(): Promise<{ origin: string; browser: () => Browser }> {
  const browsers = new Map<string, Browser & { decrypt: (body: Buffer) => string }>();
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const browser = browsers.get(request.url ?? '');
      const status = browser?.answers.shift() ?? (browser ? 201 : 404);
      if (browser && status === 201) {
        browser.authorization = request.headers.authorization;
        browser.received.push(JSON.parse(browser.decrypt(body)));
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    browser: () => {
      const path = `/send/${crypto.randomUUID()}`;
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys();
      const auth = randomBytes(16);
      const made = {
        endpoint: `${origin}${path}`,
        p256dh: p256dh.toString('base64url'),
        auth: auth.toString('base64url'),
        received: [],
        answers: [],
        authorization: undefined,
        decrypt: (body: Buffer) => {
          const salt = body.subarray(0, 16);
          const idLength = body.readUInt8(20);
          const sender = body.subarray(21, 21 + idLength);
          const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender]);
          const ikm = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
          const derive = (name: string, length: number) =>
            Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${name}\0`, length));
          const cipher = createDecipheriv(
            'aes-128-gcm',
            derive('aes128gcm', 16),
            derive('nonce', 12),
          );
          const content = body.subarray(21 + idLength);
          cipher.setAuthTag(content.subarray(-16));
          const text = Buffer.concat([cipher.update(content.subarray(0, -16)), cipher.final()]);
          // The record ends with a delimiter.
          return text.subarray(0, text.lastIndexOf(2)).toString();
        },
      };
      browsers.set(path, made);
      return made;
    },
  };
}
