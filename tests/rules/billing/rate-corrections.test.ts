// A rate that is dated back into issued invoices: what is proposed, decided and billed. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { billingStory, type Caller, dayShifts } from '#tests/support/billing-story.ts';
import { finance, guardHere, opsManager } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

/** March is issued: 24 h at 2.00, of which 12 h on March 20. */
const story = (work: (caller: Caller, invoice: string) => Promise<void>) =>
  billingStory(database.owner, async (caller) => {
    const { story, draft, issue } = caller;
    await story.bill('gate');
    await story.rate(2);
    await dayShifts(caller, [3, 20]);
    const [first] = await draft(1, 31);
    await issue(first?.invoice_id);
    await work(caller, String(first?.invoice_id));
  });

const dateBack = ({ story }: Caller, amount: number, from = '2025-03-15') =>
  story.rate(amount, { effective_from: from });

/** `status days minutes amount` of each correction of the contract. */
async function corrections({ as, story }: Caller): Promise<string[]> {
  const rows = await as(
    finance,
    `select concat_ws(' ', status, first_day, last_day, minutes, amount) as row from billing_corrections($1)`,
    [story.contract],
  );
  return rows.map(({ row }) => String(row));
}

const decide = ({ as, story }: Caller, status: string, of = 'proposed', reason = 'Agreed') =>
  as(
    finance,
    `select decide_billing_corrections(array(select id from billing_corrections($1) where status = $2), $3, $4)`,
    [story.contract, of, status, reason],
  );

test('it proposes the difference of the days that were billed, once, and a later rate proposes nothing', () =>
  story(async (caller) => {
    expect(await corrections(caller)).toEqual([]);
    await dateBack(caller, 9, '2025-04-01');
    expect(await corrections(caller)).toEqual([]);
    const rate = await dateBack(caller, 2.5);
    const proposed = ['proposed 2025-03-20 2025-03-20 720 6.00'];
    expect(await corrections(caller)).toEqual(proposed);
    await caller.owner('update rates set amount = 2.5 where id = $1', [rate]);
    expect(await corrections(caller)).toEqual(proposed);
    await caller.owner('update rates set amount = 3 where id = $1', [rate]);
    expect(await corrections(caller)).toEqual(['proposed 2025-03-20 2025-03-20 720 12.00']);
    await caller.owner('delete from rates where id = $1', [rate]);
    expect(await corrections(caller)).toEqual([]);
  }));

test('accepted, it is on the next draft alone, however often that is drawn, and issued once', () =>
  story(async (caller) => {
    const { draft, lines, issue, owner, refused, as } = caller;
    await dateBack(caller, 2.5);
    expect(await draft(32, 61)).toEqual([]);
    await decide(caller, 'accepted');
    const [next] = await draft(32, 61);
    await draft(32, 61);
    expect(await lines()).toEqual(['correction 12 6.00']);
    expect(
      await owner(
        'select description, rate, explanation from invoice_lines where correction_id is not null',
      ),
    ).toEqual([
      {
        description: expect.stringMatching(
          /^Correction of INV-\d+-\d+, Residence, gate: regular hours$/,
        ),
        rate: '0.5000',
        explanation: 'Mar 20: the rate is 2.5, and 2 was billed.',
      },
    ]);
    await draft(62, 92);
    expect(await lines()).toEqual(['correction 12 6.00']);
    await issue(next?.invoice_id);
    expect(await draft(62, 92)).toEqual([]);
    const billed = `select decide_billing_corrections(array(select id from billing_corrections()), 'waived', 'Gift')`;
    expect(await refused(finance, billed)).toMatch(/^Invoice INV-\S+ has billed this correction/);
    // Credited, it is billed again.
    await as(finance, `select credit_invoice($1, 'Not agreed')`, [next?.invoice_id]);
    await draft(62, 92);
    expect(await lines()).toEqual(['correction 12 6.00']);
  }));

test('a rate that changes again corrects what was corrected', () =>
  story(async (caller) => {
    const { draft, lines, issue } = caller;
    const rate = await dateBack(caller, 2.5);
    await decide(caller, 'accepted');
    const [next] = await draft(32, 61);
    await issue(next?.invoice_id);
    await caller.owner('update rates set amount = 1.5 where id = $1', [rate]);
    expect(await corrections(caller)).toEqual([
      'proposed 2025-03-20 2025-03-20 720 -12.00',
      'accepted 2025-03-20 2025-03-20 720 6.00',
    ]);
    await decide(caller, 'accepted');
    await draft(62, 92);
    expect(await lines()).toEqual(['correction 12 -12.00']);
  }));

test('waived, it is not proposed again, unless it is reopened or the rate changes', () =>
  story(async (caller) => {
    const { draft, lines, refused, story } = caller;
    const rate = await dateBack(caller, 2.5);
    expect(
      await refused(
        finance,
        `select decide_billing_corrections(array(select id from billing_corrections($1)), 'waived', ' ')`,
        [story.contract],
      ),
    ).toMatch(/^Give a reason/);
    await decide(caller, 'waived');
    await caller.owner('update rates set effective_from = effective_from - 1 where id = $1', [
      rate,
    ]);
    expect(await corrections(caller)).toEqual(['waived 2025-03-20 2025-03-20 720 6.00']);
    expect(await draft(32, 61)).toEqual([]);
    await caller.owner('update rates set amount = 3 where id = $1', [rate]);
    expect(await corrections(caller)).toEqual([
      'proposed 2025-03-20 2025-03-20 720 12.00',
      'waived 2025-03-20 2025-03-20 720 6.00',
    ]);
    await decide(caller, 'accepted');
    await draft(32, 61);
    expect(await lines()).toEqual(['correction 12 12.00']);
    await decide(caller, 'proposed', 'accepted');
    expect(await draft(32, 61)).toEqual([]);
  }));

test('one that a later one builds on is reverted after it, or with it', () =>
  story(async (caller) => {
    const { as, draft, issue, lines, refused, story } = caller;
    await dateBack(caller, 2.5, '2025-03-15');
    await decide(caller, 'accepted');
    await dateBack(caller, 2.2, '2025-03-16');
    await decide(caller, 'accepted');
    const isKept = async () => {
      for (const undone of [`'waived', 'Gift'`, `'proposed'`]) {
        expect(
          await refused(
            finance,
            `select decide_billing_corrections(array(select id from billing_corrections($1) where amount = 6), ${undone})`,
            [story.contract],
          ),
        ).toBe('A later correction builds on this one. Undo that one first.');
      }
    };
    await isKept();
    const [next] = await draft(32, 61);
    expect(await lines()).toEqual(['correction 12 6.00', 'correction 12 -3.60']);
    await issue(next?.invoice_id);
    await as(finance, `select credit_invoice($1, 'Not agreed')`, [next?.invoice_id]);
    await isKept();
    // Together they leave the rate that was issued.
    await decide(caller, 'waived', 'accepted');
    expect(await corrections(caller)).toContain('proposed 2025-03-20 2025-03-20 720 2.40');
    await decide(caller, 'accepted');
    await draft(32, 61);
    expect(await lines()).toEqual(['correction 12 2.40']);
  }));

test('one that was waived is accepted only while its rates hold', () =>
  story(async (caller) => {
    const { draft, lines, refused, story } = caller;
    await dateBack(caller, 2.5, '2025-03-15');
    await decide(caller, 'waived');
    await decide(caller, 'accepted', 'waived');
    await decide(caller, 'waived', 'accepted');
    await dateBack(caller, 2.2, '2025-03-16');
    await decide(caller, 'accepted');
    expect(
      await refused(
        finance,
        `select decide_billing_corrections(array(select id from billing_corrections($1) where status = 'waived'), 'accepted')`,
        [story.contract],
      ),
    ).toMatch(/^The rates have changed since/);
    await draft(32, 61);
    expect(await lines()).toEqual(['correction 12 2.40']);
  }));

test('a draft below zero gives its corrections to the next draft of the contract', () =>
  story(async (caller) => {
    const { draft, lines, issue, owner, story } = caller;
    await dateBack(caller, 1.4);
    await decide(caller, 'accepted');
    await draft(32, 61);
    expect(await lines()).toEqual(['correction 12 -7.20']);
    await dayShifts(caller, [70]);
    const [next] = await draft(62, 92);
    expect(await lines()).toEqual(['regular 12 16.80', 'correction 12 -7.20']);
    await draft(32, 61);
    expect(await lines()).toEqual(['regular 12 16.80', 'correction 12 -7.20']);
    expect(
      await owner(`select total from invoices where contract_id = $1 and status = 'draft'`, [
        story.contract,
      ]),
    ).toEqual([{ total: '9.60' }]);
    await issue(next?.invoice_id);
  }));

test('a line that is credited has its proposals dropped, and one that is corrected is not credited', () =>
  story(async (caller, march) => {
    const { draft, issue, as, refused, lines } = caller;
    await dateBack(caller, 2.5);
    await decide(caller, 'accepted');
    const [next] = await draft(32, 61);
    await issue(next?.invoice_id);
    const credit = `select credit_invoice($1, 'Billed wrong')`;
    expect(await refused(finance, credit, [march])).toMatch(/corrects the rate of this line/);
    await as(finance, credit, [next?.invoice_id]);
    await as(finance, credit, [march]);
    expect(await corrections(caller)).toEqual([]);
    await draft(1, 31);
    expect(await lines()).toEqual(['regular 12 24.00', 'regular 12 30.00']);
  }));

test('a night is corrected by its days, and so is what filled a minimum up', () =>
  billingStory(database.owner, async (caller) => {
    const { story, draft, issue } = caller;
    await story.bill('gate', { basis: 'minimum', minimum_hours: 43 });
    await story.rate(2);
    await story.work(guardHere, await story.shift('gate', 14, '18:00-06:00'), '18:00-06:00');
    const [first] = await draft(1, 31);
    await issue(first?.invoice_id);
    await dateBack(caller, 3);
    // 6 h of the night, and 17 of 31 days of 31 h.
    expect(await corrections(caller)).toEqual([
      'proposed 2025-03-15 2025-03-15 360 6.00',
      'proposed 2025-03-15 2025-03-31 1020 17.00',
    ]);
  }));

test('only admins and finance see and decide corrections', () =>
  story(async ({ refused }) => {
    for (const sql of [
      'select billing_corrections()',
      `select decide_billing_corrections('{}', 'accepted')`,
    ]) {
      for (const person of [opsManager, guardHere]) {
        expect(await refused(person, sql)).toBe('Only admins and finance may do this.');
      }
    }
  }));
