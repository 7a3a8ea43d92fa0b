// VAT on invoices: from when, at which rate, for whom. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  billingStory,
  type Caller,
  dateOf,
  dayShifts,
  type Row,
} from '#tests/support/billing-story.ts';
import { finance, guardHere, opsManager } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

/** VAT of 18 % is in force from the year's start; nobody is registered yet. */
const story = (work: (caller: Caller) => Promise<void>) =>
  billingStory(database.owner, async (caller) => {
    await caller.owner('delete from vat_registrations');
    await caller.owner(
      `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.18, '2025-01-01')`,
    );
    await work(caller);
  });

const register = ({ as }: Caller, day: number, until?: number) =>
  as(
    finance,
    'insert into vat_registrations (number, registered_from, registered_to) values ($1, $2, $3) returning id',
    ['500123456', dateOf(day), until === undefined ? null : dateOf(until)],
  );

/** `quantity amount treatment tax` of each line of the draft. */
const taxed = async ({ owner }: Caller, [draft]: Row[]) =>
  (
    await owner(
      `select concat_ws(' ', trim_scale(quantity), amount, coalesce(vat_treatment, '-'), tax_amount) as line
       from invoice_lines where invoice_id = $1 order by kind, coalesce(lower(days), '2025-03-01'), tax_amount, amount`,
      [draft?.invoice_id],
    )
  ).map(({ line }) => line);

describe('VAT of a registered company', () => {
  test('is on no invoice before the registration, whatever rate is in force', () =>
    story(async (caller) => {
      await caller.story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      expect(await taxed(caller, await caller.draft(1, 31))).toEqual(['1 310.00 - 0.00']);
    }));

  test('begins on its day, with the hours after midnight of the night before', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.bill('gate', {});
      await story.bill('yard', { basis: 'fixed', monthly_amount: 310 });
      await story.rate(2);
      await register(caller, 16);
      await story.work(guardHere, await story.shift('gate', 15, '18:00-06:00'), '18:00-06:00');
      expect(await taxed(caller, await caller.draft(1, 31))).toEqual([
        '0.4839 150.00 - 0.00',
        '0.5161 160.00 standard 28.80',
        '6 12.00 - 0.00',
        '6 12.00 standard 2.16',
      ]);
    }));

  test('replaces the tax that a contract names, on the days of the registration alone', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.query(
        `insert into tax_rates (name, rate, effective_from) values ('Levy', 0.1, '2025-01-01')`,
      );
      await story.query(`update contracts set tax_name = 'Levy' where id = $1`, [story.contract]);
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      await register(caller, 11, 20);
      const drafts = await caller.draft(1, 31);
      expect(await taxed(caller, drafts)).toEqual([
        '0.6774 210.00 - 21.00',
        '0.3226 100.00 standard 18.00',
      ]);
    }));

  test('is at no rate for a post that is zero-rated or exempt, and for a client with a certificate', () =>
    story(async (caller) => {
      const { story, as } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      await story.bill('yard', { basis: 'fixed', monthly_amount: 620, vat_treatment: 'zero' });
      await register(caller, 1);
      await as(
        finance,
        `insert into vat_exemptions (client_id, certificate, valid_from) values ($1, 'DIP 42', $2)`,
        [story.client, dateOf(21)],
      );
      expect(await taxed(caller, await caller.draft(1, 31))).toEqual([
        '0.6452 400.00 zero 0.00',
        '0.6452 200.00 standard 36.00',
        '0.3548 110.00 exempt 0.00',
        '0.3548 220.00 exempt 0.00',
      ]);
    }));

  test('is on lines by hand, too, unless they are zero-rated', () =>
    story(async (caller) => {
      const { story, as, draft, owner } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      await register(caller, 1);
      const [drafted] = await draft(1, 31);
      for (const treatment of [null, 'zero']) {
        await as(
          finance,
          `insert into invoice_lines (invoice_id, description, rate, vat_treatment) values ($1, 'Radio', 50, $2)`,
          [drafted?.invoice_id, treatment],
        );
      }
      expect(
        await owner(
          `select tax_name, tax_rate, vat_treatment, tax_amount from invoice_lines
           where invoice_id = $1 and kind = 'other' order by position`,
          [drafted?.invoice_id],
        ),
      ).toEqual([
        { tax_name: 'VAT', tax_rate: '0.1800', vat_treatment: 'standard', tax_amount: '9.00' },
        { tax_name: 'VAT', tax_rate: '0.0000', vat_treatment: 'zero', tax_amount: '0.00' },
      ]);
    }));
});

describe('a price that contains VAT', () => {
  test('stays the sum that the client pays, to the cent', () =>
    story(async (caller) => {
      const { story, draft, owner } = caller;
      await story.query('update contracts set prices_include_tax = true where id = $1', [
        story.contract,
      ]);
      await story.bill('gate', { basis: 'fixed', monthly_amount: 100 });
      await register(caller, 1);
      const drafts = await draft(1, 31);
      expect(await taxed(caller, drafts)).toEqual(['1 84.75 standard 15.25']);
      expect(
        await owner('select subtotal, tax, total from invoices where id = $1', [
          drafts[0]?.invoice_id,
        ]),
      ).toEqual([{ subtotal: '84.75', tax: '15.25', total: '100.00' }]);
    }));

  test('is billed whole on days without VAT', () =>
    story(async (caller) => {
      const { story, draft } = caller;
      await story.query('update contracts set prices_include_tax = true where id = $1', [
        story.contract,
      ]);
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      await register(caller, 21);
      expect(await taxed(caller, await draft(1, 31))).toEqual([
        '0.6452 200.00 - 0.00',
        '0.3548 93.22 standard 16.78',
      ]);
    }));

  test('is corrected with the tax that the line had', () =>
    story(async (caller) => {
      const { story, draft, issue, owner, as } = caller;
      await story.query('update contracts set prices_include_tax = true where id = $1', [
        story.contract,
      ]);
      await story.bill('gate', {});
      await story.rate(2.36);
      await register(caller, 1);
      await dayShifts(caller, [3], '06:00-16:00');
      const [first] = await draft(1, 31);
      await issue(first?.invoice_id);
      await story.rate(3.54, { effective_from: '2025-03-02' });
      await as(
        finance,
        `select decide_billing_corrections(array_agg(id), 'accepted') from billing_corrections()`,
      );
      await dayShifts(caller, [33], '06:00-16:00');
      const [second] = await draft(32, 61);
      expect(
        await owner(
          `select kind, amount, tax_amount, price_with_tax from invoice_lines where invoice_id = $1 order by kind`,
          [second?.invoice_id],
        ),
      ).toEqual([
        { kind: 'correction', amount: '10.00', tax_amount: '1.80', price_with_tax: '11.80' },
        { kind: 'regular', amount: '30.00', tax_amount: '5.40', price_with_tax: '35.40' },
      ]);
    }));
});

describe('an issued invoice', () => {
  test('names the company’s number, the client’s, and the certificate', () =>
    story(async (caller) => {
      const { story, draft, issue, owner, as } = caller;
      await story.query(`update clients set tin = '100200300' where id = $1`, [story.client]);
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      await register(caller, 1);
      await as(
        finance,
        `insert into vat_exemptions (client_id, certificate, valid_from) values ($1, 'DIP 42', '2025-01-01')`,
        [story.client],
      );
      const [drafted] = await draft(1, 31);
      await issue(drafted?.invoice_id);
      expect(
        await owner(
          `select vat_number, bill_to ->> 'tin' as tin, bill_to ->> 'vat_certificate' as certificate
           from invoices where id = $1`,
          [drafted?.invoice_id],
        ),
      ).toEqual([{ vat_number: '500123456', tin: '100200300', certificate: 'DIP 42' }]);
    }));

  test('without VAT of days that are registered later is named, until it is billed again', () =>
    story(async (caller) => {
      const { story, draft, issue, as } = caller;
      await story.bill('gate', {});
      await story.rate(2);
      await dayShifts(caller, [3, 20], '06:00-16:00');
      const [first] = await draft(1, 31);
      await issue(first?.invoice_id);
      const differences = () => as(finance, 'select lines::int from vat_differences()');
      expect(await differences()).toEqual([]);
      await register(caller, 10);
      expect(await differences()).toEqual([{ lines: 1 }]);
      await as(finance, `select credit_invoice($1, 'Without VAT')`, [first?.invoice_id]);
      const again = await draft(1, 31);
      expect(await taxed(caller, again)).toEqual(['10 20.00 - 0.00', '10 20.00 standard 3.60']);
      await issue(again[0]?.invoice_id);
      expect(await differences()).toEqual([]);
    }));

  test('is credited as it was issued, lines by hand too, whatever has been agreed since', () =>
    story(async (caller) => {
      const { story, draft, issue, owner, as } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      const [drafted] = await draft(1, 31);
      await as(
        finance,
        `insert into invoice_lines (invoice_id, description, rate) values ($1, 'Radio', 50)`,
        [drafted?.invoice_id],
      );
      await issue(drafted?.invoice_id);
      await story.query('update contracts set prices_include_tax = true where id = $1', [
        story.contract,
      ]);
      await register(caller, 1);
      await as(finance, `select credit_invoice($1, 'Without VAT')`, [drafted?.invoice_id]);
      expect(
        await owner('select amount::float, tax::float from credit_notes where invoice_id = $1', [
          drafted?.invoice_id,
        ]),
      ).toEqual([{ amount: 360, tax: 0 }]);
    }));

  test('keeps the registration that it was issued under', () =>
    story(async (caller) => {
      const { story, draft, issue, refused, as } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
      const [registered] = await register(caller, 16);
      const [drafted] = await draft(1, 31);
      await issue(drafted?.invoice_id);
      const used = /has VAT of these days, so they stay registered/;
      expect(
        await refused(finance, 'delete from vat_registrations where id = $1', [registered?.id]),
      ).toMatch(used);
      expect(
        await refused(
          finance,
          `update vat_registrations set registered_from = '2025-04-01' where id = $1`,
          [registered?.id],
        ),
      ).toMatch(used);
      await as(finance, `update vat_registrations set registered_to = '2025-12-31' where id = $1`, [
        registered?.id,
      ]);
    }));
});

describe('a registration', () => {
  test('needs a rate that two people agreed on', () =>
    story(async ({ refused }) => {
      expect(
        await refused(
          finance,
          `insert into vat_registrations (number, registered_from) values ('500', '2024-12-31')`,
        ),
      ).toMatch(/There is no rate of VAT in force on Dec 31, 2024/);
    }));

  test('keeps the rate that it needs', () =>
    story(async (caller) => {
      await register(caller, 1);
      expect(await caller.refused(finance, `delete from tax_rates where name = 'VAT'`)).toMatch(
        /The registration for VAT needs this rate/,
      );
    }));

  test('is the only one of its days', () =>
    story(async (caller) => {
      await register(caller, 1);
      expect(
        await caller.refused(
          finance,
          `insert into vat_registrations (number, registered_from) values ('500', '2025-06-01')`,
        ),
      ).toMatch(/vat_registrations_one_at_a_time/);
    }));
});

test('finance enters a client’s tax number and certificate, and operations don’t', () =>
  story(async ({ story, as, owner, refused }) => {
    const set = (rest: string) => `select set_client_tax('${story.client}', ${rest})`;
    await as(finance, set(`'500000100', null, 'DIP 1', '2025-03-01', null`));
    const [made] = await owner('select id from vat_exemptions where client_id = $1', [
      story.client,
    ]);
    await as(finance, set(`'500000101', '${made?.id}', 'DIP 2', '2025-03-01', '2025-12-31'`));
    const known = () =>
      owner(
        `select c.tin, e.certificate, e.valid_to::text from clients c
         left join vat_exemptions e on e.client_id = c.id where c.id = $1`,
        [story.client],
      );
    expect(await known()).toEqual([
      { tin: '500000101', certificate: 'DIP 2', valid_to: '2025-12-31' },
    ]);
    await as(finance, set(`null, '${made?.id}'`));
    expect(await known()).toEqual([{ tin: null, certificate: null, valid_to: null }]);
    expect(await refused(opsManager, set(`'500000102'`))).toMatch(/finance/);
    expect(await refused(finance, set(`'500000102', null, 'DIP 3', 'infinity'`))).not.toBe('');
  }));
