import { expect, test } from 'vitest';
import { insertOnce } from './insert-once.ts';

const ROW = { id: 'd5b0', title: 'Gate forced', caller: null };
const failWith = (code: string) => async () => {
  throw Object.assign(new Error('duplicate key value violates unique constraint'), { code });
};
const stored = (data: object | null) => async () => ({ data });

const repeated = (data: object | null) =>
  insertOnce(ROW, { insert: failWith('23505'), fetchStored: stored(data) });

test('a repeat of the same row succeeds', async () => {
  // The database trims texts, and adds columns of its own.
  await repeated({ ...ROW, title: 'Gate  forced', created_at: '2026-11-22T08:00:00Z' });
});

test('a repeat with other content is refused', async () => {
  await expect(repeated({ ...ROW, caller: 'Ann Cooper' })).rejects.toThrow(
    'Your first attempt was saved, without what you have changed since.',
  );
});

test('other failures are thrown', async () => {
  // Another row has the same number or title.
  await expect(repeated(null)).rejects.toThrow('duplicate key');
  const refused = insertOnce(ROW, { insert: failWith('42501'), fetchStored: stored(ROW) });
  await expect(refused).rejects.toThrow('duplicate key');
});
