// What draft_invoices makes of worked hours, contracts and coverage. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BillingStory,
  billingStory,
  type Caller,
  dateOf,
  dayShifts,
} from '#tests/support/billing-story.ts';
import {
  admin,
  bystander,
  finance,
  guardElsewhere,
  guardHere,
  opsManager,
} from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

describe('worked hours', () => {
  test('become a line for each place, kind and rate; a kind without a rate costs the regular one', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill(undefined);
      await story.rate(3.5);
      await story.rate(7, { kind: 'holiday' });
      await dayShifts(caller, [3, 4]);
      const yard = await story.shift('yard', 5, '06:00-18:00');
      await story.work(bystander, yard, '06:00-14:00');
      await story.work(bystander, yard, '14:00-15:20', { cls: 'overtime_1', rule: 'day_limit' });
      await story.work(bystander, yard, '15:20-16:00', { cls: 'overtime_1', rule: 'rest_day' });
      await story.work(bystander, yard, '16:00-17:00', { cls: 'holiday', rule: 'holiday' });
      await story.work(bystander, yard, '17:00-18:00', { cls: 'unpaid', rule: 'not_approved' });
      const [found] = await draft(1, 31);
      expect(found).toMatchObject({
        client_id: story.client,
        contract_id: story.contract,
        currency: 'USD',
        total: '126.00',
        line_count: 5,
        problems: [],
      });
      expect(await lines()).toEqual([
        'regular 24 84.00',
        'regular 8 28.00',
        'overtime 1.3333 4.67',
        'holiday 1 7.00',
        'rest_day 0.6667 2.33',
      ]);
      const texts = await story.query(
        'select description, explanation from invoice_lines where invoice_id = $1 order by position limit 2',
        [found?.invoice_id],
      );
      expect(texts).toEqual([
        {
          description: 'Residence, gate: regular hours',
          explanation: '1 guard on 2 shifts, Mar 3 to 4.',
        },
        {
          description: 'Residence, yard: regular hours',
          explanation: '1 guard on 1 shift, Mar 5.',
        },
      ]);
    }));

  test('over midnight of the month belong to the month in which they were worked', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate');
      await story.rate(2);
      await story.work(guardHere, await story.shift('gate', 31, '18:00-06:00'), '18:00-06:00');
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 6 12.00']);
      await draft(32, 61);
      expect(await lines()).toEqual(['regular 6 12.00', 'regular 6 12.00']);
      expect(
        await story.query('select minutes from billed_time where invoice_line_id is not null'),
      ).toEqual([{ minutes: 360 }, { minutes: 360 }]);
    }));

  test('at a rate that changes within the period are two lines, and so are those of a tax', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate');
      await story.rate(2);
      await story.rate(2.25, { effective_from: '2025-03-04' });
      await dayShifts(caller, [3, 4, 5]);
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00', 'regular 24 54.00']);
      await story.query(
        `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.1, '2025-03-01'), ('VAT', 0.125, '2025-03-05')`,
      );
      await story.query(`update contracts set tax_name = 'VAT' where id = $1`, [story.contract]);
      const [found] = await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00', 'regular 12 27.00', 'regular 12 27.00']);
      // 2.40 + 2.70 + 3.38
      expect(found).toMatchObject({ total: '86.48' });
    }));

  test('have the rate of their post before that of the contract, and of their kind before the regular one', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      const gate = await story.bill('gate');
      await story.bill(undefined);
      await story.rate(2);
      await story.rate(3, { contract_post_id: gate });
      await story.rate(5, { kind: 'night' });
      const shift = await story.shift('gate', 3, '18:00-06:00');
      await story.work(guardHere, shift, '18:00-22:00');
      await story.work(guardHere, shift, '22:00-06:00', { cls: 'night', rule: 'night' });
      await story.work(bystander, await story.shift('yard', 3, '06:00-07:00'), '06:00-07:00');
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 4 12.00', 'night 8 40.00', 'regular 1 2.00']);
    }));

  test('that are not approved, have no rate or no contract are left out and named', () =>
    story(async (caller) => {
      const { story, draft, lines, as } = caller;
      await story.bill('gate');
      await story.rate(2, { effective_from: '2025-03-04' });
      await dayShifts(caller, [3, 4]);
      await story.work(bystander, await story.shift('gate', 4, '18:00-06:00'), '18:00-06:00', {
        status: 'open',
      });
      await story.work(guardElsewhere, await story.shift('yard', 5, '06:00-14:00'), '06:00-14:00');
      const [found] = await draft(1, 31);
      expect(found?.problems).toMatchObject([
        {
          code: 'hours_not_approved',
          text: '12 h of 1 guard are not approved, so they are not on the invoice.',
        },
        { code: 'no_rate', text: 'Residence, gate has no rate for 12 h, Mar 3.' },
        { code: 'no_contract', text: '8 h at Residence, yard belong to no contract, Mar 5.' },
      ]);
      expect(await lines()).toEqual(['regular 12 24.00']);
      const open = await as(
        finance,
        `select reason, minutes, post_name from unbilled_time('2025-03-01', '2025-03-31', $1)`,
        [story.client],
      );
      expect(open).toEqual([
        { reason: 'no_rate', minutes: 720, post_name: 'gate' },
        { reason: 'not_approved', minutes: 720, post_name: 'gate' },
        { reason: 'no_contract', minutes: 480, post_name: 'yard' },
      ]);
    }));
});

describe('drawing again', () => {
  test('changes nothing, keeps the invoice and its lines by hand, and takes corrected hours', () =>
    story(async (caller) => {
      const { story, draft, lines, owner, as } = caller;
      await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3]);
      const [first] = await draft(1, 31);
      await as(
        finance,
        `insert into invoice_lines (invoice_id, description, quantity, rate) values ($1, 'Radio', 1, 20)`,
        [first?.invoice_id],
      );
      const [again] = await draft(1, 31);
      expect(again).toEqual({ ...first, line_count: 2, total: '44.00' });
      await dayShifts(caller, [4]);
      // Overlaps the first, and takes its place.
      const [wider] = await draft(1, 40);
      expect(wider?.invoice_id).toBe(first?.invoice_id);
      expect(await lines()).toEqual(['regular 24 48.00', 'other 1 20.00']);
      const [period] = await owner(`select period_end::text from invoices where id = $1`, [
        first?.invoice_id,
      ]);
      expect(period).toEqual({ period_end: '2025-04-09' });
      await owner(`delete from time_segments where site_id = $1`, [story.site]);
      await owner(`delete from invoice_lines where kind = 'other' and invoice_id = $1`, [
        first?.invoice_id,
      ]);
      expect(await draft(1, 31)).toEqual([]);
      expect(await lines()).toEqual([]);
    }));

  test('merges two drafts that it overlaps, with the lines by hand of both', () =>
    story(async (caller) => {
      const { story, draft, lines, as } = caller;
      await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3, 20]);
      for (const [from, to] of [
        [1, 15],
        [16, 31],
      ] as const) {
        const [one] = await draft(from, to);
        await as(
          finance,
          `insert into invoice_lines (invoice_id, description, quantity, rate) values ($1, 'Radio', 1, 20)`,
          [one?.invoice_id],
        );
      }
      expect(await draft(1, 31)).toMatchObject([{ total: '88.00', line_count: 3 }]);
      expect(await lines()).toEqual(['regular 24 48.00', 'other 1 20.00', 'other 1 20.00']);
    }));

  test('bills no minute of another draft', () =>
    story(async (caller) => {
      const { story, draft, lines, owner } = caller;
      await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3, 20]);
      await draft(1, 15);
      await draft(16, 31);
      expect(await lines()).toEqual(['regular 12 24.00', 'regular 12 24.00']);
      // The record grew after it was billed: the new part alone is left.
      await owner(`update invoices set period_end = period_start where client_id = $1`, [
        story.client,
      ]);
      await owner(
        `update time_segments set ends_at = ends_at + interval '1 h' where site_id = $1 and day = '2025-03-03'`,
        [story.site],
      );
      await draft(3, 10);
      expect(await lines()).toEqual(['regular 12 24.00', 'regular 1 2.00', 'regular 12 24.00']);
    }));
});

describe('the draft that is issued', () => {
  test('is refused once its hours, rates or days have changed, and is current once drafted again', () =>
    story(async (caller) => {
      const { story, draft, owner, refused } = caller;
      await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3, 4]);
      const [one] = await draft(1, 31);
      const check = 'select private.require_current_draft($1)';
      // Without hours the draft stays, for its line by hand.
      await owner(
        `insert into invoice_lines (invoice_id, description, rate) values ($1, 'Radio', 20)`,
        [one?.invoice_id],
      );
      await owner(check, [one?.invoice_id]);
      for (const change of [
        `update timesheets set status = 'open' where user_id = '${guardHere.id}' and period_start = '2025-03-01'`,
        `update timesheets set status = 'approved' where user_id = '${guardHere.id}'`,
        `update time_segments set ends_at = ends_at - interval '1 min' where user_id = '${guardHere.id}' and day = '2025-03-03'`,
        `update rates set amount = 2.01 where contract_id = '${story.contract}'`,
        `update contracts set ends_on = '2025-03-03' where id = '${story.contract}'`,
      ]) {
        await owner(change);
        expect(await refused('owner', check, [one?.invoice_id])).toMatch(/Draft it again\.$/);
        await draft(1, 31);
        await owner(check, [one?.invoice_id]);
      }
    }));
});

describe('drafts that are issued together', () => {
  /** A second client with hours of its own at a gate. */
  async function secondClient({ owner }: Caller): Promise<BillingStory> {
    const second = new BillingStory(owner);
    await second.setUp('Port');
    await second.bill(undefined);
    await second.rate(3);
    await second.work(
      guardElsewhere,
      await second.shift('gate', 3, '06:00-18:00'),
      '06:00-18:00',
      // Ids of attendance are counted per story.
      { attendance: '00000000-0000-4000-8000-000000000900' },
    );
    return second;
  }

  const draftOf = async ({ as }: Caller, client: string, from = 1, to = 31): Promise<string> => {
    const drawn = await as(finance, 'select invoice_id from draft_invoices($1, $2, $3)', [
      dateOf(from),
      dateOf(to),
      client,
    ]);
    return String(drawn[0]?.invoice_id);
  };
  const issueAll = ({ as }: Caller, ids: string[]) =>
    as(finance, 'select id, number, refusal from issue_invoices($1)', [ids]);
  const numbered = expect.stringMatching(/^INV-/);
  const outdated = expect.stringMatching(/Draft it again\.$/);

  test('are each compared with their hours and rates: what has changed stays as it was drawn', () =>
    story(async (caller) => {
      const { story, owner, lines } = caller;
      await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3, 4]);
      const second = await secondClient(caller);
      const ids = [await draftOf(caller, story.client), await draftOf(caller, second.client)];
      const [one, two] = ids;
      await owner('update rates set amount = 2.01 where contract_id = $1', [story.contract]);
      expect(await issueAll(caller, ids)).toEqual([
        { id: one, number: null, refusal: outdated },
        { id: two, number: numbered, refusal: null },
      ]);
      expect(await lines()).toEqual(['regular 24 48.00']);
      await draftOf(caller, story.client);
      const again = await issueAll(caller, ids);
      expect(again).toMatchObject([{ number: numbered }, { number: numbered }]);
      const totals = await owner('select total from invoices where id = any ($1) order by total', [
        ids,
      ]);
      expect(totals).toEqual([{ total: '36.00' }, { total: '48.24' }]);
    }));

  test('may be months of one contract, of which each is compared after the one before is issued', () =>
    story(async (caller) => {
      const { story, owner } = caller;
      await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3, 33]);
      const ids = [
        await draftOf(caller, story.client, 32, 61),
        await draftOf(caller, story.client, 1, 31),
      ];
      await owner(
        `update time_segments set ends_at = ends_at - interval '1 min' where user_id = $1 and day = $2`,
        [guardHere.id, dateOf(3)],
      );
      expect(await issueAll(caller, ids)).toEqual([
        { id: ids[0], number: numbered, refusal: null },
        { id: ids[1], number: null, refusal: outdated },
      ]);
    }));

  test('are issued if each alone would be, though one has time that is now of another contract', () =>
    story(async (caller) => {
      const { story, owner, as } = caller;
      const gate = await story.bill('gate');
      await story.rate(2);
      await dayShifts(caller, [3, 4]);
      const contract = await story.insert('contracts', {
        client_id: story.client,
        title: 'Yard',
        starts_on: '2025-01-01',
      });
      await story.bill('yard', { contract_id: contract });
      await story.rate(3, { contract_id: contract });
      const yard = await story.shift('yard', 5, '06:00-18:00');
      await story.work(bystander, yard, '06:00-18:00');
      const drafts = await as(
        finance,
        'select invoice_id as id from draft_invoices($1, $2, $3) order by total desc',
        [dateOf(1), dateOf(31), story.client],
      );
      await owner('update contract_posts set ends_on = $2 where id = $1', [gate, dateOf(2)]);
      await story.bill('gate', { contract_id: contract, starts_on: dateOf(3) });
      const [gates = '', yards = ''] = drafts.map(({ id }) => String(id));
      expect(await issueAll(caller, [gates, yards])).toEqual([
        { id: gates, number: null, refusal: outdated },
        { id: yards, number: numbered, refusal: null },
      ]);
    }));
});

describe('an issued invoice', () => {
  test('keeps its minutes for good, and frees those that a credit note takes back', () =>
    story(async (caller) => {
      const { story, draft, lines, issue, as, refused } = caller;
      await story.bill('gate');
      const rate = await story.rate(2);
      await dayShifts(caller, [3, 4]);
      const [one] = await draft(1, 31);
      await issue(one?.invoice_id);
      expect(await draft(1, 31)).toEqual([]);
      for (const sql of [
        'delete from billed_time',
        'truncate billed_time',
        `update billed_time set kind = 'night'`,
        'update billed_time set freed_at = now()',
      ]) {
        expect(await refused('owner', sql)).toMatch(/^These minutes are on an issued invoice/);
      }
      for (const sql of [
        'update rates set amount = 3 where id = $1',
        'delete from rates where id = $1',
      ]) {
        expect(await refused('owner', sql, [rate])).toMatch(/^An issued invoice uses this rate/);
      }
      expect(
        await refused(finance, `update contract_posts set basis = 'minimum', minimum_hours = 1`),
      ).toMatch(/^This post has been billed/);
      await as(finance, `select credit_invoice($1, 'Wrong rate')`, [one?.invoice_id]);
      await story.rate(3, { effective_from: '2025-03-04' });
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00', 'regular 12 36.00']);
    }));
});

test('only admins and finance draft, waive and see what is not billed', () =>
  story(async ({ as, refused }) => {
    for (const sql of [
      `select draft_invoices('2025-03-01', '2025-03-31')`,
      `select unbilled_time('2025-03-01', '2025-03-31')`,
      `select waive_time('{}', 'Gift')`,
      `select unwaive_time('{}')`,
    ]) {
      for (const person of [opsManager, guardHere]) {
        expect(await refused(person, sql)).toBe('Only admins and finance may do this.');
      }
      await as(admin, sql);
    }
  }));
