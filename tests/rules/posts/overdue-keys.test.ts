// A key that is overdue: told of once, to those who can do something, until it is back.
import { expect, test } from 'vitest';
import { type BookStory, bookStories } from '#tests/support/book-story.ts';
import {
  bystander,
  guardHere,
  supervisorElsewhere,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';

const { story, own, scene } = bookStories();

const names = new Map(
  [guardHere, bystander, supervisorHere, supervisorEverywhere, supervisorElsewhere].map(
    ({ id, name }) => [id, name],
  ),
);
const NOTICES = `select user_id, title, body, link, read_at is not null as is_read from notices
  where kind = 'key_overdue' order by created_at, title, user_id`;
const told = async ({ asOwner }: BookStory) => {
  const [row] = await asOwner('select private.tell_of_overdue_keys() as n');
  return row?.n;
};
const notices = async ({ asOwner }: BookStory) =>
  (await asOwner(NOTICES)).map(({ user_id, title, body, link, is_read }) => ({
    ...{ title, body, link, is_read },
    to: names.get(String(user_id)) ?? user_id,
  }));

/** Given out three hours ago by the guard. @returns its id */
async function key({ asOwner }: BookStory, name: string, due: string | null): Promise<string> {
  const [row] = await asOwner(
    `insert into key_movements (site_id, assignment_id, key_name, taken_by, due_at, out_at, out_by, received_at)
     values ($1, $2, $3, 'Musa', now() + $4::interval, now() - interval '3 hours', $5, now() - interval '3 hours')
     returning id`,
    [scene().sites.here, own(guardHere), name, due, guardHere.id],
  );
  return String(row?.id);
}

test('goes once to the guards on duty and the supervisors of the site, in one notice', () =>
  story(async (facts) => {
    await key(facts, 'Store', '-1 hour');
    await key(facts, 'Roof', '-2 days');
    await key(facts, 'Gate', '1 hour');
    await key(facts, 'Safe', null);
    await facts.asOwner(
      `update attendance set clock_out_at = now() where assignment_id = '${own(bystander)}'`,
    );
    expect(await told(facts)).toBe(2);
    expect(await told(facts)).toBe(0);
    const sent = await notices(facts);
    expect(new Set(sent.map(({ title }) => title))).toEqual(
      new Set([expect.stringMatching(/^2 keys overdue at /)]),
    );
    expect(sent[0]).toMatchObject({ body: expect.stringMatching(/^Roof, Musa, due .*\nStore, /) });
    const book = `/admin/sites/${scene().sites.here}/book`;
    expect(sent.map(({ to, link }) => [to, link]).toSorted()).toEqual(
      [
        [guardHere.name, '/staff/book'],
        [supervisorEverywhere.name, book],
        [supervisorHere.name, book],
      ].toSorted(),
    );
  }));

test('is notified again after a later time has passed, and by no run before', () =>
  story(async (facts) => {
    const id = await key(facts, 'Store', '-1 hour');
    expect(await told(facts)).toBe(1);
    await facts.asOwner(
      `update key_movements set due_at = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect(await told(facts)).toBe(0);
    await facts.asOwner(
      `update key_movements set due_at = now() - interval '1 minute' where id = $1`,
      [id],
    );
    expect(await told(facts)).toBe(1);
  }));

test('that came from a phone late is not told of before its return could follow', () =>
  story(async (facts) => {
    const { rows } = facts;
    const id = crypto.randomUUID();
    await rows('select sign_out_key($1, $2, $3, $4, $5::timestamptz)', [
      ...[id, own(guardHere), 'Store', 'Musa', new Date(Date.now() - 3_600_000)],
    ]);
    expect(await told(facts)).toBe(0);
    await facts.asOwner(`update key_movements set received_at = now() - interval '3 minutes'`);
    expect(await told(facts)).toBe(1);
  }));

test('is done when it is back or struck through: its notice is read when none of its keys is out', () =>
  story(async (facts) => {
    const { rows, as } = facts;
    const [store, roof] = [
      await key(facts, 'Store', '-1 hour'),
      await key(facts, 'Roof', '-1 hour'),
    ];
    await told(facts);
    const unread = async () => (await notices(facts)).filter(({ is_read }) => !is_read).length;
    const all = await unread();
    expect(all).toBeGreaterThan(2);
    await as(bystander);
    await rows('select return_key($1, $2)', [store, own(bystander)]);
    expect(await unread()).toBe(all);
    await as(supervisorHere);
    await rows('select strike_line($1, $2, $3)', ['key', roof, 'Never given out']);
    expect(await unread()).toBe(0);
    expect(await told(facts)).toBe(0);
  }));

test('that is out on the phone of who comes on duty later is in their book', () =>
  story(async (facts) => {
    const { rows, as } = facts;
    await facts.asOwner('update attendance set clock_out_at = now()');
    const id = await key(facts, 'Store', '-1 hour');
    await told(facts);
    await facts.asOwner(
      `update attendance set clock_out_at = null where assignment_id = '${own(bystander)}'`,
    );
    await as(bystander);
    const [mine] = await rows('select keys from my_book()');
    expect(mine?.keys).toMatchObject([{ id, due_at: expect.any(String) }]);
  }));
