// The book of the post: written once, also late and twice, never changed, and read by those whom it concerns.
import { describe, expect, test } from 'vitest';
import { bookStories, type BookStory as Story } from '#tests/support/book-story.ts';
import {
  bystander,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';

const { story, own, scene } = bookStories();

const WRITE = 'select write_entry($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7)';
const ENTER = `select sign_in_visitor($1, $2, 'person', p_name => $3, p_company => $4, p_plate => $5)`;
const LEAVE = 'select sign_out_visitor($1, $2) as out_at';
const TAKE = 'select sign_out_key($1, $2, $3, $4, $5::timestamptz)';
const BOOK = `select * from book_of_site($1, current_date - 1, current_date + 1, p_search => $2, p_kinds => $3)`;
const STRIKE = 'select strike_line($1, $2, $3)';
const id = () => crypto.randomUUID();

const book = async ({ rows }: Story, search = '', kinds: string[] | null = null) =>
  (await rows(BOOK, [scene().sites.here, search, kinds])).map(({ kind, step, words }) =>
    [kind, step, words].filter((part) => part !== null).join(' '),
  );

describe('an entry', () => {
  test('is stored once, at the time of the phone, corrected', () =>
    story(async ({ rows, asOwner }) => {
      const entry = id();
      for (let n = 0; n < 2; n += 1) {
        // Written an hour ago by a clock that is ten minutes slow.
        await rows(WRITE, [
          entry,
          own(guardHere),
          'observation',
          ' Gate 2 is open. ',
          new Date(Date.now() - 70 * 60_000),
          null,
          600_000,
        ]);
      }
      const [stored, ...others] = await asOwner(
        `select text, user_id, site_id, round(extract(epoch from now() - written_at) / 60)::int as ago from post_entries`,
      );
      expect(stored).toEqual({
        text: 'Gate 2 is open.',
        user_id: guardHere.id,
        site_id: scene().sites.here,
        ago: 60,
      });
      expect(others).toEqual([]);
    }));

  test('needs no words if all is quiet, and words otherwise', () =>
    story(async ({ rows, refusal, asOwner }) => {
      await rows(WRITE, [id(), own(guardHere), 'check', null, null, null, null]);
      expect(await asOwner('select text from post_entries')).toEqual([{ text: 'All quiet' }]);
      const wrong: unknown[][] = [
        ['observation', ' '],
        ['observation', 'x'.repeat(1001)],
        ['gossip', 'New'],
        [null, 'New'],
      ];
      for (const [kind, text] of wrong) {
        expect(await refusal(WRITE, [id(), own(guardHere), kind, text, null, null, null])).toMatch(
          /^2/,
        );
      }
    }));

  test('is of the guard’s own shift, from its beginning until a week after it', () =>
    story(async ({ as, refusal, asOwner }) => {
      const write = () => refusal(WRITE, [id(), own(guardHere), 'check', null, null, null, null]);
      expect(await write()).toBeUndefined();
      await asOwner(`update shifts set start_time = now() + interval '5 hours', end_time = now() + interval '9 hours'
        where id = (select shift_id from assignments where id = '${own(guardHere)}')`);
      expect(await write()).toBe('PT409');
      await as(bystander);
      expect(await write()).toBe('PT404');
    }));

  test('of another guard is not overwritten', () =>
    story(async ({ as, rows, refusal }) => {
      const entry = id();
      await rows(WRITE, [entry, own(guardHere), 'check', null, null, null, null]);
      await as(bystander);
      expect(
        await refusal(WRITE, [entry, own(bystander), 'delivery', 'Water', null, null, null]),
      ).toBe('23505');
    }));
});

describe('a visitor', () => {
  test('is inside until somebody at the gate signs them out, once', () =>
    story(async ({ as, rows, asOwner }) => {
      const visit = id();
      for (let n = 0; n < 2; n += 1) {
        await rows(ENTER, [visit, own(guardHere), 'Mary Cole', 'LEC', 'a-1234']);
      }
      const inside = async () => {
        const [mine] = await rows('select inside from my_book()');
        return mine?.inside;
      };
      expect(await inside()).toMatchObject([{ id: visit, name: 'Mary Cole', plate: 'A-1234' }]);
      await as(bystander);
      const [first] = await rows(LEAVE, [visit, own(bystander)]);
      const [second] = await rows(LEAVE, [visit, own(bystander)]);
      expect(second).toEqual(first);
      expect(await inside()).toEqual([]);
      expect(await asOwner('select in_by, out_by from visits')).toEqual([
        { in_by: guardHere.id, out_by: bystander.id },
      ]);
      const [known] = await rows('select known from my_book()');
      expect(known?.known).toMatchObject([{ name: 'Mary Cole', company: 'LEC' }]);
    }));

  test('never leaves before coming in, and has a name or a plate', () =>
    story(async ({ rows, refusal }) => {
      const visit = id();
      await rows(ENTER, [visit, own(guardHere), 'Mary', null, null]);
      const [left] = await rows(
        `select sign_out_visitor($1, $2, now() - interval '1 day') >= now() - interval '1 minute' as is_now`,
        [visit, own(guardHere)],
      );
      expect(left?.is_now).toBe(true);
      expect(await refusal(ENTER, [id(), own(guardHere), ' ', null, null])).toBe('23514');
      expect(
        await refusal(`select sign_in_visitor($1, $2, 'vehicle', p_name => 'Mary')`, [
          id(),
          own(guardHere),
        ]),
      ).toBe('23514');
    }));

  test('is signed out by nobody of another site', () =>
    story(async ({ as, rows, refusal }) => {
      const visit = id();
      await rows(ENTER, [visit, own(guardHere), 'Mary', null, null]);
      await as(guardElsewhere);
      expect(await refusal(LEAVE, [visit, own(guardElsewhere, 'elsewhere')])).toBe('PT404');
      expect(await refusal(LEAVE, [visit, null])).toBe('PT404');
      await as(finance);
      expect(await refusal(LEAVE, [visit, null])).toBe('PT404');
      // Forgotten at the gate: the office may.
      await as(supervisorHere);
      expect(await refusal(LEAVE, [visit, null])).toBeUndefined();
    }));
});

test('a key is out until it comes back', () =>
  story(async (told) => {
    const { rows, refusal, as } = told;
    const key = id();
    const due = new Date(Date.now() + 3_600_000);
    for (let n = 0; n < 2; n += 1) await rows(TAKE, [key, own(guardHere), 'Store', 'Musa', due]);
    const keys = async () => {
      const [mine] = await rows('select keys from my_book()');
      return mine?.keys;
    };
    expect(await keys()).toMatchObject([{ id: key, key_name: 'Store', taken_by: 'Musa' }]);
    await as(bystander);
    for (let n = 0; n < 2; n += 1) await rows('select return_key($1, $2)', [key, own(bystander)]);
    expect(await keys()).toEqual([]);
    expect(await book(told, '', ['key'])).toEqual(
      expect.arrayContaining(['key out Store, to Musa', 'key in Store, from Musa']),
    );
    await as(guardHere);
    expect(await refusal(TAKE, [id(), own(guardHere), 'Store', 'Musa', 'infinity'])).toBe('22023');
  }));

describe('the page', () => {
  test('has what was written, and what is recorded elsewhere, found by word, name and plate', () =>
    story(async (told) => {
      const { as, rows } = told;
      await rows(WRITE, [
        id(),
        own(guardHere),
        'observation',
        'Dog at the fence',
        null,
        null,
        null,
      ]);
      await rows(ENTER, [id(), own(guardHere), 'Mary', 'LEC', 'A 99']);
      await rows('select leave_note($1, $2, $3)', [id(), own(guardHere), 'Lamp is out']);
      await rows(
        `insert into incidents (site_id, title, category, severity, description)
         values ($1, 'Broken fence', 'security', 'low', 'The fence is broken at the gate.')`,
        [scene().sites.here],
      );
      await as(supervisorHere);
      expect((await book(told)).toSorted()).toEqual([
        'duty in',
        'duty in',
        'handover Lamp is out',
        'incident Broken fence',
        'observation Dog at the fence',
        'visitor in Mary, LEC, A 99',
      ]);
      expect(await book(told, 'a 99')).toEqual(['visitor in Mary, LEC, A 99']);
      expect(await book(told, 'FENCE', ['observation'])).toEqual(['observation Dog at the fence']);
    }));

  test('is read by the office of the site and by guards on duty there', () =>
    story(async ({ as, rows, refusal, asOwner }) => {
      await rows(WRITE, [id(), own(guardHere), 'check', null, null, null, null]);
      const read = () => refusal(BOOK, [scene().sites.here, '', null]);
      for (const person of [guardHere, bystander, supervisorHere, dispatcher, opsManager]) {
        await as(person);
        expect(await read(), person.name).toBeUndefined();
      }
      for (const person of [guardElsewhere, supervisorElsewhere, finance]) {
        await as(person);
        expect(await read(), person.name).toBe('42501');
      }
      // After duty the own entries remain.
      await asOwner(`update attendance set clock_out_at = now()`);
      for (const [person, entries] of [
        [guardHere, 1],
        [bystander, 0],
      ] as const) {
        await as(person);
        expect(await read()).toBe('42501');
        expect(await rows('select id from post_entries')).toHaveLength(entries);
        expect(await rows('select * from my_book()')).toEqual([]);
      }
    }));

  test('asks for a site, days and a page that exist', () =>
    story(async ({ as, refusal }) => {
      await as(dispatcher);
      const read = (site: unknown, from: string | null, to: string | null, page: number | null) =>
        refusal('select * from book_of_site($1, $2, $3, p_page => $4)', [site, from, to, page]);
      expect(await read(null, '2026-01-01', '2026-01-01', 1)).toBe('42501');
      expect(await read(scene().sites.here, null, '2026-01-01', 1)).toBe('22023');
      expect(await read(scene().sites.here, '2026-01-02', '2026-01-01', 1)).toBe('22023');
      expect(await read(scene().sites.here, '2026-01-01', '2026-12-01', 1)).toBe('22023');
      expect(await read(scene().sites.here, '2026-01-01', '2026-01-01', 0)).toBe('22023');
      expect(await read(scene().sites.here, '2026-01-01', '2026-01-01', 2)).toBeUndefined();
    }));
});

test('a line is struck through by its author or the office, with a reason, and stays', () =>
  story(async (told) => {
    const { as, rows, refusal, asOwner } = told;
    const [entry, visit, key] = [id(), id(), id()];
    await rows(WRITE, [entry, own(guardHere), 'delivery', 'Water', null, null, null]);
    await rows(ENTER, [visit, own(guardHere), 'Mary', null, null]);
    await rows(TAKE, [key, own(guardHere), 'Store', 'Musa', null]);
    await as(bystander);
    expect(await refusal(STRIKE, ['entry', entry, 'Wrong'])).toBe('PT404');
    await as(guardHere);
    expect(await refusal(STRIKE, ['entry', entry, ' '])).toBe('22023');
    for (const reason of ['Wrong gate', 'Sent again']) await rows(STRIKE, ['entry', entry, reason]);
    await as(supervisorHere);
    await rows(STRIKE, ['visit', visit, 'Not let in']);
    await rows(STRIKE, ['key', key, 'Other key']);
    expect(await asOwner('select strike_reason, struck_by from post_entries')).toEqual([
      { strike_reason: 'Wrong gate', struck_by: guardHere.id },
    ]);
    expect(await book(told, 'wrong gate')).toEqual(['delivery Water']);
    await as(guardHere);
    // Struck through is not inside, and not out.
    const [mine] = await rows('select inside, keys from my_book()');
    expect(mine).toEqual({ inside: [], keys: [] });
    expect(await refusal(`update post_entries set text = 'Other'`)).toBe('42501');
    expect(await refusal('delete from visits')).toBe('42501');
  }));
