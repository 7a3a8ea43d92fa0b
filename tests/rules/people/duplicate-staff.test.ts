// The same person twice on the staff: refused where it is certain, named where it is likely.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('truncate staff cascade');
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

const ADD = `insert into staff (full_name, email, phone, hire_date, salary_amount, is_separate, status)
  values ($1, $2, $3, coalesce($4::date, '2032-01-01'), 143, coalesce($5, false), coalesce($6, 'active')) returning id`;
type Given = [name: string, email: string | null, phone: string | null, ...more: unknown[]];
const values = (given: Given) => [...given, null, null, null].slice(0, 6);

describe('an email or a phone of a member of staff', () => {
  test.each<[string, Given, string]>([
    ['the email, in other letters', ['Musu K.', 'MUSU@example.com', null], 'email'],
    ['the number, written otherwise', ['M. Kollie', null, '+231 77 012 3456'], 'phone number'],
  ])('is refused: %s', (_, given, what) =>
    story(async ({ as, refused, owner }) => {
      await as(finance, ADD, values(['Musu Kollie', 'musu@example.com', '0770 123 456']));
      expect(await refused(finance, ADD, values(given))).toBe(
        `Musu Kollie is on the staff with the same ${what}. Change that record, or say that this is another person.`,
      );
      // By the service key and by the owner of the database, too.
      expect(await owner('select count(*)::int as people from staff')).toEqual([{ people: 1 }]);
      // Two brothers with one phone: a person decides it.
      await as(finance, ADD, values([...given, null, true]));
      expect(await owner('select count(*)::int as people from staff')).toEqual([{ people: 2 }]);
    }),
  );

  test('is free again when the person leaves, and taken when both would be back', () =>
    story(async ({ as, refused, owner }) => {
      const [old] = await as(finance, ADD, values(['Musu Kollie', 'musu@example.com', null]));
      await owner(`update staff set status = 'inactive', end_date = '2032-02-01' where id = $1`, [
        old?.id,
      ]);
      await as(finance, ADD, values(['Musu Kollie', 'musu@example.com', null, '2032-06-01']));
      expect(
        await refused(
          finance,
          `update staff set status = 'active', end_date = null where id = $1`,
          [old?.id],
        ),
      ).toContain('is on the staff with the same email');
    }));

  test('is refused to each of two writers at once, by an index', async () => {
    const one = await database.owner.connect();
    const other = await database.owner.connect();
    try {
      await one.query('begin');
      await other.query('begin');
      await one.query(ADD, values(['One', 'twice@example.com', null]));
      const second = other.query(ADD, values(['Other', 'Twice@example.com', null]));
      await Promise.all([
        expect(second).rejects.toMatchObject({ code: '23505', constraint: 'staff_one_per_email' }),
        one.query('commit'),
      ]);
    } finally {
      await other.query('rollback');
      one.release();
      other.release();
      await database.owner.query('truncate staff cascade');
    }
  });

  test('is not learned by who may not read the staff', () =>
    story(async ({ as, refused }) => {
      await as(finance, ADD, values(['Musu Kollie', 'musu@example.com', null]));
      for (const person of [guardHere, hr]) {
        expect(await refused(person, ADD, values(['M', 'musu@example.com', null]))).toMatch(
          /row-level security/,
        );
        expect(await refused(person, `select * from likely_duplicates('[{}]')`)).toContain(
          'Only admins and finance',
        );
      }
    }));

  test('stops hiring: the account is made from the record that exists', () =>
    story(async ({ as, refused }) => {
      const [record] = await as(finance, ADD, values(['Musu Kollie', null, '0770 123 456']));
      const entry = { full_name: 'Musu Kollie', phone: '+231770123456', salary_amount: 143 };
      const hire = (more: object) => [JSON.stringify([{ ...entry, ...more }])];
      expect(await refused(admin, 'select * from hire_people($1)', hire({}))).toContain(
        'Musu Kollie is on the staff with the same phone number.',
      );
      expect(
        await as(admin, 'select * from hire_people($1)', hire({ staff_id: record?.id })),
      ).toHaveLength(1);
    }));
});

test('likely duplicates are named, of the staff and within the given rows', () =>
  story(async ({ as, owner }) => {
    const [musu] = await as(
      finance,
      ADD,
      values(['Musu Kollie', 'musu@example.com', '0770 123 456', '2032-03-01']),
    );
    const [gone] = await as(
      finance,
      ADD,
      values(['Joe Doe', null, '0770 999 999', null, null, 'inactive']),
    );
    await owner(`update staff set end_date = '2032-02-01' where id = $1`, [gone?.id]);
    const [plain] = await as(finance, ADD, values(['Akoi Dolo', null, null, '2032-03-01']));
    const rows = [
      { full_name: 'Somebody', email: 'Musu@Example.com' },
      { full_name: 'Somebody Else', phone: '00231770123456' },
      { full_name: ' akoi  dolo', hire_date: '2032-03-01', email: 'akoi@example.com' },
      { full_name: 'Akoi Dolo', hire_date: '2032-05-01' },
      // Another phone: another person.
      { full_name: 'Musu Kollie', hire_date: '2032-03-01', phone: '0880 123 456' },
      { full_name: 'Joe Doe', hire_date: '2032-07-01' },
      { full_name: 'Another', email: 'AKOI@example.com' },
      { full_name: 'Akoi Dolo', hire_date: '2032-05-01' },
    ];
    const found = await as(
      finance,
      'select place, other_place, staff_id, reason, is_certain from likely_duplicates($1)',
      [JSON.stringify(rows)],
    );
    const one = (place: number, staff: unknown, reason: string, is_certain: boolean) => ({
      place,
      other_place: null,
      staff_id: staff,
      reason,
      is_certain,
    });
    expect(found).toEqual([
      one(1, musu?.id, 'email', true),
      one(2, musu?.id, 'phone', true),
      one(3, plain?.id, 'name', false),
      one(6, gone?.id, 'name', false),
      { place: 7, other_place: 3, staff_id: null, reason: 'email', is_certain: true },
      { place: 8, other_place: 4, staff_id: null, reason: 'name', is_certain: false },
    ]);
    // A record that is edited is no duplicate of itself.
    expect(
      await as(finance, 'select * from likely_duplicates($1, $2)', [
        JSON.stringify([{ full_name: 'Musu Kollie', email: 'musu@example.com' }]),
        musu?.id,
      ]),
    ).toEqual([]);
  }));
