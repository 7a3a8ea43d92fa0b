// Closing the books and reopening them.
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  as,
  ask,
  asOwner,
  CLOSED,
  close,
  closedTo,
  decide,
  EXPENSE,
  why,
} from '#tests/support/books.ts';
import { admin, finance, hr, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { call, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

describe('closing', () => {
  test('is for admins and finance, up to yesterday, and only forward', () =>
    rolledBack(database.owner, async (client) => {
      expect(await why(client, () => close(client, opsManager))).toBe(
        'Only admins and finance may do this.',
      );
      const today = await call<string>(client, 'private.company_date()::text', []);
      expect(await why(client, () => close(client, finance, today))).toMatch(
        /^The books can be closed up to yesterday, .+ at the latest\.$/,
      );
      await close(client, finance, '2026-08-31');
      await close(client, admin);
      expect(await why(client, () => close(client, finance, '2026-09-30'))).toBe(
        'The books are closed up to September 30, 2026 already. Choose a later day, or ask to reopen them.',
      );
      const history = await as(
        client,
        finance,
        'select kind, closed_to::text, status, requested_by from book_closings where requested_by is not null order by closed_to',
      );
      expect(history).toEqual([
        { kind: 'close', closed_to: '2026-08-31', status: 'in_force', requested_by: finance.id },
        { kind: 'close', closed_to: '2026-09-30', status: 'in_force', requested_by: admin.id },
      ]);
    }));

  test('is reopened by a second person who did not close, with a reason', () =>
    rolledBack(database.owner, async (client) => {
      await asOwner(client, `insert into user_roles (user_id, role) values ($1, 'finance')`, [
        hr.id,
      ]);
      await close(client);
      expect(
        await why(client, () => as(client, admin, `select ask_to_reopen_books(' ', '2026-08-31')`)),
      ).toBe('Give a reason of at most 500 characters.');
      expect(await why(client, () => ask(client, admin, '2026-09-30'))).toMatch(
        /Choose an earlier day/,
      );
      const request = await ask(client, admin);
      const told = await asOwner(
        client,
        `select user_id from notices where title = 'Someone asks to reopen the books' and body = 'A receipt was missed'
         and user_id = any ($1)`,
        [[admin.id, finance.id]],
      );
      expect(told).toEqual([{ user_id: finance.id }]);
      expect(await why(client, () => decide(client, admin, request))).toBe(
        'Someone else must approve it: you asked to reopen the books.',
      );
      expect(await why(client, () => decide(client, finance, request))).toBe(
        'Someone else must approve it: you closed the books.',
      );
      expect(await why(client, () => ask(client, finance))).toBe(
        'Someone has asked to reopen the books already.',
      );
      expect(await closedTo(client)).toBe('2026-09-30');
      await decide(client, hr, request);
      expect(await closedTo(client)).toBe('2026-08-31');
      await as(client, finance, EXPENSE, ['2026-09-01']);
      expect(await why(client, () => as(client, finance, EXPENSE, ['2026-08-31']))).toMatch(
        /closed up to August 31, 2026/,
      );
      expect(await why(client, () => decide(client, hr, request))).toBe(
        'Someone has already decided this request.',
      );
    }));

  test('two people are enough: the one who closed asks, the other approves', () =>
    rolledBack(database.owner, async (client) => {
      await close(client);
      const declined = await ask(client, finance, null);
      await decide(client, admin, declined, false);
      expect(await closedTo(client)).toBe('2026-09-30');
      await decide(client, admin, await ask(client, finance, null));
      expect(await closedTo(client)).toBeNull();
      // Who closed the days before does not count any more.
      await close(client, admin);
      await decide(client, finance, await ask(client, admin, null));
      expect(await closedTo(client)).toBeNull();
    }));

  test('at the same moment as a posting lets only one of the two pass', async () => {
    const pool = poolOf(database.connection, 2);
    const [one, two] = [await pool.connect(), await pool.connect()];
    try {
      for (const [first, second, message] of [
        [() => as(one, finance, EXPENSE, ['2026-09-07']), () => close(two), undefined],
        [() => close(one), () => as(two, finance, EXPENSE, ['2026-09-07']), CLOSED],
      ] as const) {
        await one.query('begin');
        await two.query('begin');
        await first();
        let isDone = false;
        const waiting = second()
          .then(() => undefined)
          .catch((error: unknown) => (error instanceof Error ? error.message : 'unknown'))
          .finally(() => {
            isDone = true;
          });
        // The second waits for the lock of the first.
        await database.owner.query(
          `do $$ begin while not exists (select from pg_locks where not granted) loop perform pg_sleep(0.01); end loop; end $$`,
        );
        expect(isDone).toBe(false);
        if (message) {
          await one.query('commit');
          expect(await waiting).toBe(message);
        } else {
          await one.query('rollback');
          expect(await waiting).toBeUndefined();
        }
        await two.query('rollback');
      }
    } finally {
      one.release();
      two.release();
      await pool.end();
      await database.owner.query(
        `update private.books set closed_to = null; delete from book_closings where requested_by is not null`,
      );
    }
  });
});
