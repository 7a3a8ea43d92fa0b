import pg from 'pg';
import { expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { explain } from './explain.ts';

const databaseError = (code: string): Error =>
  Object.assign(new pg.DatabaseError('could not extend file "base/5/23669"', 0, 'error'), { code });
const failing = (error: Error) => () => Promise.reject(error);

test.each([
  ['of a file', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['of a table', databaseError('53100')],
  [
    'of a table that a migration makes',
    new StartError('Migration 1_roles.sql failed and was rolled back', {
      cause: databaseError('53100'),
    }),
  ],
])('a full disk while writing %s is explained with its folder', async (_what, error) => {
  await expect(explain('/mnt/backups', failing(error))).rejects.toThrow(
    /^The disk of \/mnt\/backups is full\. Nothing was changed/,
  );
});

test('an object store that is lost is not taken for the database', async () => {
  const error = Object.assign(new Error('read'), {
    code: 'ECONNRESET',
    $metadata: { attempts: 3 },
  });
  await expect(explain('/mnt/backups', failing(error))).rejects.toThrow(
    'The object store of the files stopped answering (ECONNRESET). Nothing was changed: try again.',
  );
});

test('another failure of a migration keeps its own sentence', async () => {
  const error = new StartError('Migration 1_roles.sql failed', { cause: databaseError('42P07') });
  await expect(explain('/mnt/backups', failing(error))).rejects.toBe(error);
});
