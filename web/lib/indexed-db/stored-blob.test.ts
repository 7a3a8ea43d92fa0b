import { expect, test } from 'vitest';
import { fromStored, toStored } from './stored-blob.ts';

const photo = (bytes: number) => new Blob([new Uint8Array(bytes).fill(7)], { type: 'image/jpeg' });

test('a photo is stored as bytes, and comes back with its type', async () => {
  const stored = await toStored(photo(300_000));
  expect(stored).not.toBeInstanceOf(Blob);
  const read = fromStored(stored);
  expect([read.type, await read.bytes()]).toEqual(['image/jpeg', await photo(300_000).bytes()]);
});

test('what earlier versions of the app stored, and long videos, stay Blobs', async () => {
  const long = photo(5 * 1024 * 1024);
  expect(await toStored(long)).toBe(long);
  expect(fromStored(long)).toBe(long);
});
