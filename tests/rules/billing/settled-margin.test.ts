// The margin of settled runs and invoices: when it is stored, its sums and its pages.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { guardHere } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';
import {
  addSheet,
  PERIOD,
  readAsFinance,
  settledCounts,
  settledStory,
  sumForMargin,
} from '#tests/support/settled-story.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

type Amounts = { billed: string; wages: string; employer: string; direct: string; margin: string };
type Row = Amounts & {
  site_id: string | null;
  client_id: string | null;
  month: string;
  currency: string;
  worked_minutes: number;
};
type Sums = Amounts & {
  currency: string;
  count: number;
  months: (Amounts & { month: string })[];
  rows: Row[];
};

describe('the margin', () => {
  test('is not stored while somebody writes a timesheet', () =>
    settledStory(database.owner, scene, async (client) => {
      await rolledBack(database.owner, async (other) => {
        await addSheet(other, guardHere.id, 400, 430);
        await sumForMargin(client);
        await sumForMargin(client);
        expect(await settledCounts(client)).toBe('0 0 0');
      });
      await sumForMargin(client);
      await sumForMargin(client);
      expect(await settledCounts(client)).not.toMatch(/^0 0/);
    }));

  test('is summed by site, client and month as its rows', () =>
    settledStory(database.owner, scene, async (client) => {
      const rows = await readAsFinance<Row[]>(client, `margin(${PERIOD})`);
      const cents = (amount: string) => Math.round(Number(amount) * 100);
      for (const [by, keyOf] of [
        ['site', (row: Row) => `${row.site_id} ${row.client_id}`],
        ['client', (row: Row) => `${row.client_id}`],
        ['month', (row: Row) => row.month],
      ] as const) {
        const sums = await readAsFinance<Sums[]>(client, `margin_sums(${PERIOD}, null, '${by}')`);
        expect(sums.map(({ currency }) => currency)).toEqual(['USD', 'LRD']);
        for (const { currency, count, rows: groups, ...total } of sums) {
          const all = rows.filter((row) => row.currency === currency);
          const of = (key: string) => all.filter((row) => keyOf(row) === key);
          expect(count).toBe(new Set(all.map(keyOf)).size);
          expect(groups).toHaveLength(count);
          for (const key of ['billed', 'wages', 'employer', 'margin'] as const) {
            const sum = (part: Row[]) => part.reduce((cent, row) => cent + cents(row[key]), 0);
            expect(cents(total[key])).toBe(sum(all));
            for (const group of groups) expect(cents(group[key])).toBe(sum(of(keyOf(group))));
          }
          if (by !== 'month') {
            const order = groups.map((group) => cents(group.margin));
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        }
      }
    }));

  test('comes in pages, and of one client or of none', () =>
    settledStory(database.owner, scene, async (client) => {
      const sums = (more: string) =>
        readAsFinance<Sums[]>(client, `margin_sums(${PERIOD}, 'USD', 'site', ${more})`);
      const [all] = await sums('null, false, 1, 200');
      const [second] = await sums('null, false, 2, 1');
      expect(second).toEqual({ ...all, rows: all?.rows.slice(1, 2) });
      const own = all?.rows.find(({ site_id }) => site_id === scene.sites.here);
      const [of] = await sums(`'${own?.client_id}', false, 1, 200`);
      expect(of?.rows).toEqual(all?.rows.filter(({ client_id }) => client_id === own?.client_id));
      const [without] = await sums('null, true, 1, 200');
      expect(without?.rows ?? []).toEqual(all?.rows.filter(({ client_id }) => client_id === null));
    }));
});
