// From an enquiry to a quote to a contract: numbers, prices, what is sent stays, one contract.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, opsManager } from '#tests/support/people.ts';
import { LINES, Office, office as officeOf, type Row, TERMS } from '#tests/support/quote-story.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, refusal } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const office = (work: (at: Office) => Promise<void>) => officeOf(database.owner, work);

describe('a quote', () => {
  test('is priced by the hours of an average month, with the VAT of its first day', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      // 2 x 12 x 7 x 52 / 12 = 728 h at 3.50; 8 x 5 x 52 / 12 = 173.33 h at 4.
      const id = await at.save(enquiry);
      const sums = 'select subtotal, tax, total, number from quotes where id = $1';
      expect(await at.owner(sums, [id])).toEqual({
        subtotal: '3241.32',
        tax: '0.00',
        total: '3241.32',
        number: null,
      });
      await at.owner('delete from vat_registrations');
      await at.owner(
        `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.18, '2030-01-01')`,
      );
      await at.owner(
        `insert into vat_registrations (number, registered_from) values ('77', '2031-01-01')`,
      );
      await at.as(opsManager, 'select send_quote($1)', [id]);
      expect(await at.owner(sums, [id])).toMatchObject({ subtotal: '3241.32', tax: '583.44' });
      const contained = await at.save(enquiry, { prices_include_tax: true }, [
        { ...LINES[0], post_name: 'Gate' },
        { ...LINES[1], vat_treatment: 'exempt' },
      ]);
      // 2,548.00 contains 388.68 of VAT; the yard is exempt.
      expect(await at.owner(sums, [contained])).toMatchObject({
        subtotal: '2852.64',
        tax: '388.68',
        total: '3241.32',
      });
    }));

  test('is numbered without gaps when it is sent, and moves the enquiry on', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      const [first, discarded, second] = [
        await at.save(enquiry),
        await at.save(enquiry),
        await at.save(enquiry),
      ];
      for (const id of [first, first, second])
        await at.as(opsManager, 'select send_quote($1)', [id]);
      await at.as(opsManager, 'select delete_quote($1)', [discarded]);
      const { numbers } = await at.owner(
        `select array_agg(substr(number, 10) order by sequence) as numbers from quotes where enquiry_id = $1`,
        [enquiry],
      );
      expect(numbers).toEqual(['0001', '0002']);
      expect(
        await at.owner('select stage, state from contact_messages where id = $1', [enquiry]),
      ).toEqual({ stage: 'quoted', state: 'answered' });
      expect(await at.refused(opsManager, 'select delete_quote($1)', [first])).toMatch(
        /stays as it is/,
      );
    }));

  test('that was sent never changes; a new version replaces it when it is sent', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      const id = await at.save(enquiry);
      await at.as(opsManager, 'select send_quote($1)', [id]);
      for (const sql of [
        `update quotes set terms = 'Changed' where id = $1`,
        `update quotes set client_name = 'Other' where id = $1`,
        `update quote_lines set rate = 1 where quote_id = $1`,
        'delete from quote_lines where quote_id = $1',
      ]) {
        expect((await refusal(at.client, () => at.client.query(sql, [id]))).message).toMatch(
          /stays as it is/,
        );
      }
      const [again] = await at.as(opsManager, 'select revise_quote($1) as id', [id]);
      const [twice] = await at.as(opsManager, 'select revise_quote($1) as id', [id]);
      expect(twice).toEqual(again);
      const revised = String(again?.id);
      await at.save(enquiry, { terms: 'Cheaper.' }, LINES, revised);
      await at.as(opsManager, 'select send_quote($1)', [revised]);
      const { states } = await at.owner(
        `select array_agg(concat_ws(' ', right(number, 7), status) order by version) as states
         from quotes where enquiry_id = $1`,
        [enquiry],
      );
      expect(states).toEqual([expect.stringMatching(/0001 superseded$/), '0001-v2 sent']);
      expect(await at.refused(opsManager, `select answer_quote($1, 'accepted')`, [id])).toBe(
        'Only the latest quote that was sent is answered.',
      );
    }));

  test('expires after its last day, and is then not accepted', () =>
    office(async (at) => {
      const id = await at.save(await at.enquiry(), { valid_until: '2031-01-31' });
      await at.as(opsManager, 'select send_quote($1)', [id]);
      await at.owner(`set local session_replication_role = replica`);
      await at.owner(`update quotes set valid_until = private.company_date() - 1 where id = $1`, [
        id,
      ]);
      await at.owner(`set local session_replication_role = origin`);
      expect(
        await at.owner('select quote_state(q) as state from quotes q where id = $1', [id]),
      ).toEqual({ state: 'expired' });
      expect(await at.refused(opsManager, `select answer_quote($1, 'accepted')`, [id])).toBe(
        'This quote has expired. Send a new version.',
      );
    }));

  test('is not saved over a change that the user has not seen', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      const id = await at.save(enquiry);
      const values = [id, enquiry, TERMS, JSON.stringify(LINES), '2020-01-01T00:00:00Z'];
      expect(await at.refused(opsManager, 'select save_quote($1, $2, $3, $4, $5)', values)).toMatch(
        /^Someone else has just changed this quote/,
      );
    }));

  test('is mailed once for two presses, and not by those who only read it', () =>
    office(async (at) => {
      const id = await at.save(await at.enquiry());
      for (const _ of [1, 2])
        await at.as(opsManager, `select send_quote($1, 'garmai@stores.example')`, [id]);
      expect(
        await at.owner('select count(*)::integer as mails from quote_mails where quote_id = $1', [
          id,
        ]),
      ).toEqual({ mails: 1 });
      expect(await at.refused(finance, 'select send_quote($1)', [id])).toBe(
        'Only admins and operations managers may do this.',
      );
    }));
});

describe('an accepted quote', () => {
  test('becomes client, site, posts, contract and rates with one press, once', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      const id = await at.accepted(enquiry);
      const contract = await at.turn(id);
      expect(await at.turn(id)).toBe(contract);
      expect(
        await at.owner(
          `select k.name, k.location, k.number_of_guards, k.monthly_rate, c.title, c.starts_on::text, c.agreed_headcount,
             c.bill_to_email, c.notes
           from contracts c join clients k on k.id = c.client_id where c.id = $1`,
          [contract],
        ),
      ).toEqual({
        name: 'Red Light Stores',
        location: 'Red Light, Paynesville',
        number_of_guards: 3,
        monthly_rate: '3241.32',
        title: expect.stringMatching(/^Warehouse, quote QUO-\d{4}-0001$/),
        starts_on: '2031-02-01',
        agreed_headcount: 3,
        bill_to_email: 'garmai@stores.example',
        notes: expect.stringContaining('Gate: 2 guards, 12 h a day, 7 days a week'),
      });
      const { posts } = await at.owner(
        `select json_agg(json_build_array(s.name, p.name, p.headcount, r.amount,
           private.hour_rate(b.contract_id, b.id, 'regular', '2031-02-01')) order by p.name) as posts
         from contract_posts b join sites s on s.id = b.site_id join posts p on p.id = b.post_id
         join rates r on r.contract_post_id = b.id where b.contract_id = $1`,
        [contract],
      );
      expect(posts).toEqual([
        ['Warehouse', 'Gate', 2, 3.5, 3.5],
        ['Warehouse', 'Yard', 1, 4, 4],
      ]);
      expect(
        await at.owner('select stage, state from contact_messages where id = $1', [enquiry]),
      ).toEqual({ stage: 'won', state: 'closed' });
    }));

  test('takes the client that exists, and refuses a post that another contract bills', () =>
    office(async (at) => {
      const [first, second] = [
        await at.accepted(await at.enquiry()),
        await at.accepted(await at.enquiry()),
      ];
      await at.turn(first);
      expect(await at.refused(admin, 'select turn_into_contract($1)', [second])).toBe(
        'Another contract bills Gate from Feb 1, 2031 on. End that post first.',
      );
      const elsewhere = await at.accepted(await at.enquiry(), { site_name: 'Office' });
      await at.turn(elsewhere);
      expect(
        await at.owner(
          `select count(*)::integer as clients from clients where name = 'Red Light Stores'`,
        ),
      ).toEqual({ clients: 1 });
    }));

  test('is taken back as if it had not been, and then turned again', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      const id = await at.accepted(enquiry);
      const count = () =>
        at.owner(`select (select count(*) from clients)::integer as clients, (select count(*) from sites)::integer as sites,
          (select count(*) from posts)::integer as posts, (select count(*) from contracts)::integer as contracts`);
      const before = await count();
      await at.turn(id);
      expect(
        await at.refused(opsManager, `update contact_messages set stage = 'talks' where id = $1`, [
          enquiry,
        ]),
      ).toBe('This enquiry has a contract. Take the contract back first.');
      await at.as(admin, 'select take_contract_back($1)', [id]);
      expect(await count()).toEqual(before);
      expect(
        await at.owner('select stage, state from contact_messages where id = $1', [enquiry]),
      ).toEqual({ stage: 'quoted', state: 'answered' });
      await at.turn(id);
    }));

  test('stays a contract once its posts have hours', () =>
    office(async (at) => {
      const id = await at.accepted(await at.enquiry());
      const contract = await at.turn(id);
      await at.owner(
        `insert into post_requirements (post_id, valid_from, cycle_days, slots)
         select post_id, '2031-02-01', 1, '[{"slot": 1, "day": 0, "start": "06:00", "minutes": 720, "headcount": 1}]'
         from contract_posts where contract_id = $1 limit 1`,
        [contract],
      );
      expect(await at.refused(admin, 'select take_contract_back($1)', [id])).toBe(
        'Its posts have hours or shifts already. Change the contract instead.',
      );
    }));

  test('is turned by those who may add clients and contracts, and admins are told', () =>
    office(async (at) => {
      const id = await at.accepted(await at.enquiry());
      for (const person of [opsManager, finance]) {
        expect(await at.refused(person, 'select turn_into_contract($1)', [id])).toBe(
          'Only admins, and operations managers who also have finance, may do this.',
        );
      }
      expect(
        await at.owner(
          `select title from notices where user_id = $1 and link = '/admin/enquiries/quotes/' || $2::text`,
          [admin.id, id],
        ),
      ).toEqual({ title: 'A quote was accepted: make its contract' });
    }));
});

describe('erasing an enquirer', () => {
  test('deletes quotes without a contract, and takes the person out of the others', () =>
    office(async (at) => {
      const enquiry = await at.enquiry();
      const [open, turned] = [await at.save(enquiry), await at.accepted(enquiry)];
      await at.turn(turned);
      await at.as(admin, `select erase_enquirer($1, 'Garmai Kollie')`, [enquiry]);
      expect(
        await at.owner(
          `select array_agg(id) as ids, min(contact_name) as contact, min(email) as email
           from quotes where id in ($1, $2)`,
          [open, turned],
        ),
      ).toEqual({ ids: [turned], contact: null, email: null });
      expect(
        await at.owner(
          `select count(*)::integer as copies from audit_log
           where table_name in ('quotes', 'quote_mails', 'contact_messages')
             and concat(old_values, new_values) ~ 'Garmai|garmai@'`,
        ),
      ).toEqual({ copies: 0 });
    }));
});

test('two people who turn one quote at once get the same contract', async () => {
  const setting = await database.owner.connect();
  const at = new Office(setting);
  await setting.query('begin');
  const id = await at.accepted(await at.enquiry());
  await setting.query('commit');
  setting.release();
  const contracts = await Promise.all(
    [1, 2].map(async () => {
      const client = await database.owner.connect();
      try {
        await client.query('begin');
        await become(client, admin);
        const { rows } = await client.query<Row>('select turn_into_contract($1) as contract', [id]);
        await client.query('commit');
        return rows[0]?.contract;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    }),
  );
  expect(contracts[0]).toBe(contracts[1]);
});
