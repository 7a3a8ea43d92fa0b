// Pages of the book for clients: what they leave out, frozen at the release, corrected by another, and released by themselves once.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  contactElsewhere,
  contactHere,
  dispatcher,
  formerContact,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from post_pages; delete from withheld_lines; delete from post_entries;
    delete from visits; delete from key_movements; delete from handover_notes; delete from handovers;
    delete from checkpoint_scans; delete from incidents; delete from clock_events; delete from attendance;
    delete from private.page_mails`);
});

type Row = Record<string, unknown>;

interface Story {
  as: (person: Person, sql: string, values?: unknown[]) => Promise<Row[]>;
  asOwner: (sql: string, values?: unknown[]) => Promise<Row[]>;
  refusal: (person: Person, sql: string, values?: unknown[]) => Promise<string | undefined>;
  /** Releases yesterday as it is. @returns the page's id */
  release: () => Promise<string>;
}

/** Yesterday at `here`: a check, an observation, a struck line, a visitor, a handover and a report of an incident. */
const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const asOwner: Story['asOwner'] = async (sql, values = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    };
    const as: Story['as'] = async (person, sql, values = []) => {
      await become(client, person);
      return (await client.query(sql, values)).rows;
    };
    const { here } = scene.sites;
    await asOwner(
      `insert into post_entries (site_id, user_id, kind, text, written_at, struck_at, strike_reason) values
        ($1, $2, 'check', 'All quiet', current_date - 1 + time '08:00', null, null),
        ($1, $2, 'observation', 'Gate lock is loose', current_date - 1 + time '09:00', null, null),
        ($1, $2, 'observation', 'Wrong gate', current_date - 1 + time '10:00', now(), 'Mistake'),
        ($1, $2, 'check', 'Before midnight', current_date - 2 + time '23:59', null, null)`,
      [here, guardHere.id],
    );
    await asOwner(
      `insert into visits (site_id, kind, name, in_at, out_at)
       values ($1, 'person', 'Mary Cole', current_date - 1 + time '11:00', current_date - 1 + time '12:00')`,
      [here],
    );
    await asOwner(
      `insert into handover_notes (site_id, user_id, note, written_at)
       values ($1, $2, 'Radio is weak', current_date - 1 + time '13:00')`,
      [here, guardHere.id],
    );
    await asOwner(
      `insert into incidents (id, site_id, raised_by_user_id, title, category, severity, description, happened_at)
       values ('abcdef12-0000-4000-8000-000000000000', $1, $2, 'Theft by John', 'security', 'low', 'Nobody has checked it yet.',
         current_date - 1 + time '14:00')`,
      [here, guardHere.id],
    );
    await work({
      as,
      asOwner,
      refusal: async (person, sql, values) => attempt(client, () => as(person, sql, values)),
      release: async () => {
        const draft = await as(opsManager, DRAFT, [here]);
        const [{ id } = {}] = await as(opsManager, RELEASE, [here, fingerprintOf(draft)]);
        return String(id);
      },
    });
  });

const DRAFT = 'select page_draft($1, current_date - 1) as draft';
const RELEASE = 'select release_page($1, current_date - 1, $2) as id';
const WITHHOLD = 'select withhold_line($1, current_date - 1, $2, $3, $4)';
const PAGES = 'select id, day = current_date - 1 as is_yesterday, version from client_pages()';
const DUE = 'select private.release_due_pages() as released';
const FIND = 'select id from post_entries where text = $1';

type Line = { kind: string; step: string | null; words: string | null; withheld?: string };
type Draft = { fingerprint: string; lines: Line[]; released: { changes: Row[] } | null };
const draftOf = ([row]: Row[]) => row?.draft as Draft;
const fingerprintOf = (rows: Row[]) => draftOf(rows).fingerprint;

const wordsOf = ({ kind, step, words }: Line) => [kind, step, words].filter(Boolean).join(' ');

async function read({ as }: Story, person: Person, id: string) {
  const [{ page } = {}] = await as(person, 'select read_page($1) as page', [id]);
  const { lines, ...rest } = page as { lines: Line[]; version: number; changes: Row[]; facts: Row };
  return { ...rest, lines: lines.map(wordsOf) };
}

const VISIBLE = [
  'check All quiet',
  'observation Gate lock is loose',
  'visitor in Mary Cole',
  'visitor out Mary Cole',
  'incident Report ABCDEF12',
];

test('a client reads the day without struck lines, withheld kinds and withheld lines, and no other client does', () =>
  story(async (it) => {
    const { as, release, refusal } = it;
    const { here } = scene.sites;
    const lines = draftOf(await as(supervisorHere, DRAFT, [here])).lines;
    expect(lines.map((line) => [wordsOf(line), line.withheld])).toEqual([
      ['check All quiet', null],
      ['observation Gate lock is loose', null],
      ['observation Wrong gate', 'struck'],
      ['visitor in Mary Cole', null],
      ['visitor out Mary Cole', null],
      ['handover Radio is weak', 'kind'],
      ['incident Report ABCDEF12', null],
    ]);
    const [{ id: seen } = {}] = await as(admin, FIND, ['Gate lock is loose']);
    for (let n = 0; n < 2; n += 1) await as(supervisorHere, WITHHOLD, [here, 'entry', seen, true]);
    expect(await as(contactHere, PAGES)).toEqual([]);
    const id = await release();
    expect(await release()).toBe(id);

    expect(await as(contactHere, PAGES)).toEqual([{ id, is_yesterday: true, version: 1 }]);
    expect((await read(it, contactHere, id)).lines).toEqual(
      VISIBLE.filter((words) => !words.startsWith('observation')),
    );
    for (const stranger of [contactElsewhere, formerContact, guardHere]) {
      expect(await as(stranger, PAGES)).toEqual([]);
      expect(await refusal(stranger, 'select read_page($1)', [id])).toBe('PT404');
    }
    for (const table of ['post_pages', 'withheld_lines', 'post_entries', 'visits']) {
      expect(await as(contactHere, `select from ${table}`)).toEqual([]);
    }
    // A client who has the site later doesn't read the days before.
    await it.asOwner('update sites set client_id = $2 where id = $1', [
      here,
      scene.clients.elsewhere,
    ]);
    expect(await as(contactElsewhere, PAGES)).toEqual([]);
    expect(await as(contactHere, PAGES)).toEqual([]);
  }));

test('a released page stays as it was; what changed is named without words, and released again', () =>
  story(async (it) => {
    const { as, asOwner, release } = it;
    const { here } = scene.sites;
    const first = await release();
    await asOwner(
      `update post_entries set struck_at = now(), strike_reason = 'Mistake' where text = 'Gate lock is loose'`,
    );
    await asOwner(
      `insert into post_entries (site_id, kind, text, written_at)
       values ($1, 'delivery', 'Two parcels', current_date - 1 + time '15:00')`,
      [here],
    );
    const [{ id: report } = {}] = await asOwner('select id from incidents');
    await as(opsManager, WITHHOLD, [here, 'incident', report, true]);
    expect((await read(it, contactHere, first)).lines).toEqual(VISIBLE);
    const changes = draftOf(await as(dispatcher, DRAFT, [here])).released?.changes;
    expect(changes?.map(({ change, kind }) => [change, kind])).toEqual([
      ['struck', 'observation'],
      ['withheld', 'incident'],
      ['added', 'delivery'],
    ]);

    const second = await release();
    expect(await as(contactHere, PAGES)).toEqual([{ id: second, is_yesterday: true, version: 2 }]);
    const page = await read(it, contactHere, second);
    expect(page.lines).toEqual([
      ...VISIBLE.filter((words) => !/^(observation|incident)/.test(words)),
      'delivery Two parcels',
    ]);
    expect(page.changes).toEqual(changes);
    expect(JSON.stringify(page)).not.toContain('loose');
    // The office goes on reading the first one.
    expect((await read(it, opsManager, first)).lines).toEqual(VISIBLE);
    expect(draftOf(await as(opsManager, DRAFT, [here])).released?.changes).toEqual([]);
  }));

test('nothing is released unread, too early, too late, without a client or by somebody else', () =>
  story(async ({ as, asOwner, refusal }) => {
    const { here } = scene.sites;
    const looked = fingerprintOf(await as(opsManager, DRAFT, [here]));
    for (const person of [dispatcher, guardHere, supervisorElsewhere]) {
      expect(await refusal(person, RELEASE, [here, looked])).toBe('42501');
    }
    expect(await refusal(contactHere, RELEASE, [here, looked])).toBe('PT401');
    for (const day of ['current_date', 'current_date - 93']) {
      const sql = `select release_page($1, ${day}, $2)`;
      expect(await refusal(opsManager, sql, [here, looked])).toBe('PT409');
    }
    expect(await refusal(opsManager, RELEASE, [here, null])).toBe('PT409');
    await asOwner(
      `insert into post_entries (site_id, kind, text, written_at)
       values ($1, 'observation', 'Late', current_date - 1 + time '16:00')`,
      [here],
    );
    expect(await refusal(opsManager, RELEASE, [here, looked])).toBe('PT409');
    const [{ id: late } = {}] = await asOwner(FIND, ['Late']);
    expect(await refusal(dispatcher, WITHHOLD, [here, 'entry', late, true])).toBe('PT404');
    expect(await refusal(opsManager, WITHHOLD, [here, 'visit', late, true])).toBe('PT404');
    expect(await refusal(opsManager, WITHHOLD, [here, 'entry', late, null])).toBe('PT404');
    await asOwner('update sites set client_id = null where id = $1', [here]);
    const again = fingerprintOf(await as(opsManager, DRAFT, [here]));
    expect(await refusal(opsManager, RELEASE, [here, again])).toBe('PT409');
  }));

test('a withdrawn page is gone from the portal with its earlier versions and mails, until it is released again', () =>
  story(async ({ as, asOwner, refusal, release }) => {
    const first = await release();
    await asOwner(`delete from post_entries where text = 'All quiet'`);
    const second = await release();
    expect(second).not.toBe(first);
    const WITHDRAW = 'select withdraw_page($1, $2)';
    expect(await refusal(opsManager, WITHDRAW, [first, 'Wrong'])).toBe('PT409');
    expect(await refusal(opsManager, WITHDRAW, [second, ' '])).toBe('22023');
    expect(await refusal(supervisorElsewhere, WITHDRAW, [second, 'Wrong'])).toBe('PT404');
    for (const reason of ['A name too many', 'Again'])
      await as(opsManager, WITHDRAW, [second, reason]);
    expect(await as(contactHere, PAGES)).toEqual([]);
    for (const id of [first, second])
      expect(await refusal(contactHere, 'select read_page($1)', [id])).toBe('PT404');
    expect(
      await asOwner('select withdraw_reason from post_pages where withdrawn_at is not null'),
    ).toEqual([{ withdraw_reason: 'A name too many' }]);
    expect(await asOwner('select from private.page_mails where page_id = $1', [second])).toEqual(
      [],
    );
    const third = await release();
    expect(await as(contactHere, PAGES)).toEqual([{ id: third, is_yesterday: true, version: 3 }]);
  }));

test('contacts with access get a mail for each release', () =>
  story(async ({ asOwner, release }) => {
    const MAILS =
      'select c.user_id from private.page_mails m join client_contacts c on c.id = m.contact_id';
    await release();
    await release();
    expect(await asOwner(MAILS)).toEqual([{ user_id: contactHere.id }]);
  }));

test('at the hour of the site a day is released once, and days without a server are made up for', () =>
  story(async ({ as, asOwner }) => {
    const { here } = scene.sites;
    const set = (hour: number | null) =>
      asOwner('update sites set book_release_hour = $2 where id = $1', [here, hour]);
    const released = async () => (await asOwner(DUE))[0]?.released;
    await set(0);
    // Days before the hour was set are not released.
    expect(await released()).toBe(0);
    await asOwner('update private.page_schedule set next_day = current_date - 30');
    expect(await released()).toBe(2);
    expect(await released()).toBe(0);
    expect(
      await asOwner(
        `select current_date - day as ago, version, released_by from post_pages order by day`,
      ),
    ).toEqual([
      { ago: 2, version: 1, released_by: null },
      { ago: 1, version: 1, released_by: null },
    ]);
    const [, newest] = await asOwner('select id from post_pages order by day');
    await as(opsManager, 'select withdraw_page($1, $2)', [newest?.id, 'Wrong']);
    await asOwner('update private.page_schedule set next_day = current_date - 3');
    expect(await released()).toBe(0);
    await set(null);
    await asOwner(DUE);
    expect(await asOwner('select from private.page_schedule')).toEqual([]);
  }));

test('before the hour nothing is released', () =>
  story(async ({ asOwner }) => {
    const DAYS = `update private.page_schedule set next_day = current_date - 1`;
    // The site's midnight was not yet 23 hours ago, unless it is nearly the next.
    await asOwner('update sites set book_release_hour = 23 where id = $1', [scene.sites.here]);
    await asOwner(DUE);
    await asOwner(DAYS);
    const [{ hour, released } = {}] = await asOwner(
      `select extract(hour from now() at time zone 'UTC')::int as hour, private.release_due_pages() as released`,
    );
    expect(released).toBe(hour === 23 ? 1 : 0);
  }));

test('visitors are counted even if they are not listed, and their data ends after the days of the site', () =>
  story(async (it) => {
    const { as, asOwner, release } = it;
    const { here } = scene.sites;
    const listed = await release();
    expect((await read(it, contactHere, listed)).facts).toMatchObject({
      visitors: 1,
      vehicles: 0,
      guards: [],
    });
    await asOwner(
      `update sites set book_kinds_withheld = '{handover,visitor,vehicle}', visits_days = 7 where id = $1`,
      [here],
    );
    const counted = await read(it, contactHere, await release());
    expect(counted.facts).toMatchObject({ visitors: 1, visitors_listed: false });
    expect(JSON.stringify(counted)).not.toContain('Mary');

    // Nobody's period has ended after two days; at the site's own seven both the visit and the page's copy end.
    const due = async (days: number) =>
      asOwner(
        `select p.position, private.end_records(p, now() + make_interval(days => $1)
           - make_interval(days => (select r.days from retention_rules r where r.kind = 'visits')), 100) as ended
         from private.retention_parts p where p.kind = 'visits' order by p.position`,
        [days],
      );
    const ended = async (days: number) => (await due(days)).map((part) => part.ended);
    expect(await ended(2)).toEqual([0, 0, 0]);
    // Both versions have a list of visits, the second an empty one.
    expect(await ended(8)).toEqual([0, 1, 2]);
    const page = await read(it, opsManager, listed);
    expect(page).toMatchObject({ are_visits_kept: false, facts: { visitors: 1 } });
    expect(page.lines).toEqual(VISIBLE.filter((words) => !words.startsWith('visitor')));
    // Neither that nor the deleted visit is a correction, and a new release does not bring them back.
    expect(draftOf(await as(opsManager, DRAFT, [here])).released?.changes).toEqual([]);
    const copies = await asOwner(
      `select from audit_log where table_name = 'post_pages' and new_values::text like '%Mary%'`,
    );
    expect(copies).toEqual([]);
  }));
