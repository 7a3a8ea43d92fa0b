import { describe, expect, it } from 'vitest';
import { summarize } from './statement.ts';

describe('the summary of a statement', () => {
  it.each([
    ['select id from auth.users where email = $1', 'SELECT', 'auth.users'],
    ['\n  insert into auth.identities (id) select $1', 'INSERT', 'auth.identities'],
    ['update only storage.objects o set name = $1', 'UPDATE', 'storage.objects'],
    ['delete from auth.sessions where id = $1', 'DELETE', 'auth.sessions'],
    ['select private.run_job($1, $2)', 'SELECT', 'private.run_job'],
    ['with gone as (delete from auth.flows returning 1) select 1', 'DELETE', 'auth.flows'],
    ['with a as (select 1 from auth.users) select * from a', 'SELECT', 'auth.users'],
    ['select 1 from auth.users for update of auth.users', 'SELECT', 'auth.users'],
    [
      '-- why\nselect extract(epoch from t.at) from platform.backups t',
      'SELECT',
      'platform.backups',
    ],
    ['begin', 'BEGIN', undefined],
    ['vacuum', 'SQL', undefined],
  ])('%s', (text, operation, target) => {
    expect(summarize(text)).toEqual({ operation, ...(target && { target }) });
  });

  it('has no values', () => {
    const text = "select 'from private.guard' where name = 'it''s from secret.value' and 1 = 1";
    expect(summarize(text)).toEqual({ operation: 'SELECT', target: undefined });
  });
});
