// PINs of events that wait to be sent: encrypted with a key that never leaves this browser.
import { outboxStore } from '#web/lib/outbox/store.ts';

const KEY = 'kiosk-key';
const ALGORITHM = 'AES-GCM';

export type SealedPin = { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer };

async function sealingKey(): Promise<CryptoKey> {
  const store = await outboxStore();
  const known = await store.getValue(KEY);
  if (known instanceof CryptoKey) return known;
  const isExtractable = false;
  const key = await crypto.subtle.generateKey({ name: ALGORITHM, length: 256 }, isExtractable, [
    'encrypt',
    'decrypt',
  ]);
  await store.setValue(KEY, key);
  return key;
}

export async function sealPin(pin: string): Promise<SealedPin> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(pin);
  return {
    iv,
    data: await crypto.subtle.encrypt({ name: ALGORITHM, iv }, await sealingKey(), text),
  };
}

export async function openPin({ iv, data }: SealedPin): Promise<string> {
  const text = await crypto.subtle.decrypt({ name: ALGORITHM, iv }, await sealingKey(), data);
  return new TextDecoder().decode(text);
}
