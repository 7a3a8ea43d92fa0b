// Announcements: the office writes, corrects and withdraws them; guards read on their phones, and what they confirm may arrive late.
import { Random } from '#demo/random.ts';
import { addDays, dayOf, instantOf, MINUTE_MS } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

const HAPPENS = 0.3;
/** Of each guard, with a new version. */
const READS = 0.5;

/** A condition: whether announcement `t` addresses `person` today. Of a site or everybody, also by shifts two weeks around. */
export const addresses = (person: string): string => `
  (t.withdrawn_at is null and t.last_day >= current_date and t.created_by is distinct from ${person} and exists (
    select from profiles m join auth.users u on u.id = m.id
    where m.id = ${person} and (m.left_on is null or m.left_on >= current_date)
      and u.deleted_at is null and coalesce(u.banned_until, now()) <= now())
  and case t.audience
    when 'role' then exists (select from user_roles r where r.user_id = ${person} and r.role = t.role)
    else t.audience = 'everybody' and exists (select from user_roles r where r.user_id = ${person})
      or exists (select from user_roles r where r.user_id = ${person} and r.site_id = t.site_id)
      or exists (select from assignments a where a.user_id = ${person} and a.status <> 'cancelled'
        and (t.audience = 'everybody' or a.site_id = t.site_id)
        and a.starts_at between now() - interval '14 days' and now() + interval '14 days') end)`;

interface Text {
  id: string;
  title: string;
  lastDay: string;
  mustRead: boolean;
  author: Person;
}

/** Of the version that has just been published. */
async function noteAddressees({ product, announced }: World, { id }: Text): Promise<void> {
  const rows = await product.sql<{ version: number; people: string[] }>(
    `select t.version, array(select p.id from profiles p where ${addresses('p.id')}) as people from announcements t where t.id = $1`,
    [id],
  );
  for (const { version, people } of rows)
    announced.set(`${id} ${version}`, {
      told: new Set(people),
      readers: new Set(),
      isWithdrawn: false,
    });
}

/** The guard reads everything that is new on the phone, and the phone sends it at once, twice, or hours later. */
function planReading(world: World, guard: Guard, random: Random): void {
  const { agenda, announced, company } = world;
  const at = agenda.now + random.int(5, 20 * 60) * MINUTE_MS;
  const delivery = random.among({ prompt: 60, doubled: 20, late: 20 });
  const lateMs = random.int(60, 30 * 60) * MINUTE_MS;
  agenda.add(at, `${guard.name} reads announcements (${delivery})`, async () => {
    if (!company.guards.includes(guard)) return 'has left';
    const { data } = accepted(await guard.client.rpc('my_announcements'));
    const unread = (data ?? []).filter(({ read_at }) => read_at === null);
    const readAt = new Date().toISOString();
    const send = async (): Promise<string | undefined> => {
      if (!company.guards.includes(guard)) return 'has left';
      for (const { id, version } of unread) {
        const { data: isStored } = accepted(
          await guard.client.rpc('confirm_announcement', {
            p_announcement_id: id,
            p_version: version,
            p_read_at: readAt,
          }),
        );
        if (isStored) announced.get(`${id} ${version}`)?.readers.add(guard.id);
      }
      return undefined;
    };
    if (delivery === 'late')
      agenda.add(at + lateMs, `the phone of ${guard.name} confirms announcements`, send);
    else await send();
    if (delivery === 'doubled') await send();
    return `${unread.length}`;
  });
}

function planReadings(world: World, random: Random): void {
  for (const guard of world.company.guards)
    if (random.chance(READS)) planReading(world, guard, random);
}

/** What becomes of it in the next days. */
function planCourse(world: World, text: Text, random: Random): void {
  const { agenda } = world;
  const { id, title, lastDay, mustRead } = text;
  const { client } = text.author;
  const course = random.among({ stays: 55, reworded: 15, again: 20, withdrawn: 10 });
  if (course === 'stays') return;
  const at = agenda.now + random.int(30, 40 * 60) * MINUTE_MS;
  agenda.add(at, `${text.author.name} changes the announcement ${title}: ${course}`, () =>
    refusalOf(async () => {
      if (course === 'withdrawn') {
        for (const _ of [1, 2]) accepted(await client.rpc('withdraw_announcement', { p_id: id }));
        for (const [key, one] of world.announced) if (key.startsWith(id)) one.isWithdrawn = true;
        return;
      }
      accepted(
        await client.rpc('edit_announcement', {
          p_id: id,
          p_title: title,
          p_body: `${title}. The gate is now at the back.`,
          p_must_read: mustRead,
          p_last_day: lastDay,
          p_read_again: course === 'again',
        }),
      );
      if (course !== 'again') return;
      await noteAddressees(world, text);
      planReadings(world, random);
    }),
  );
}

export function planAnnouncements(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/announcement/${day}`);
  if (!random.chance(HAPPENS)) return;
  const author = random.pick([company.hr, company.operations, company.admin]);
  const site = random.pick(company.sites);
  const audience = random.pick([
    { p_audience: 'everybody' },
    { p_audience: 'site', p_site_id: site.id },
    { p_audience: 'role', p_role: 'guard' },
  ]);
  const text: Text = {
    id: uuidFrom(random),
    title: `Notice of ${day}`,
    lastDay: addDays(day, random.int(0, 12)),
    mustRead: random.chance(0.5),
    author,
  };
  const what = `${author.name} writes to ${audience.p_site_id ? site.name : audience.p_audience}`;
  agenda.add(instantOf(day, random.pick(['08:15', '11:25', '17:45'])), what, () =>
    refusalOf(async () => {
      // The answer is lost, so it is sent again.
      for (const _ of [1, 2])
        accepted(
          await author.client.rpc('publish_announcement', {
            ...{ p_id: text.id, p_title: text.title, p_body: `${text.title}. Use the side gate.` },
            ...{ p_must_read: text.mustRead, p_last_day: text.lastDay },
            ...audience,
          }),
        );
      await noteAddressees(world, text);
      planReadings(world, random);
      planCourse(world, text, random);
    }),
  );
}

const difference = (ours: Set<string>, theirs: Set<string>, what: string): string[] => [
  ...[...ours].filter((one) => !theirs.has(one)).map((one) => `${what}: ${one} is missing`),
  ...[...theirs].filter((one) => !ours.has(one)).map((one) => `${what}: ${one} is too much`),
];

/** Announcements that last, and for each member of the company whether it addresses them and has been read. */
const LASTING = `
  select t.id, p.id as person, r.read_at is not null as is_read from announcements t cross join profiles p
  left join announcement_readings r on r.announcement_id = t.id and r.user_id = p.id and r.version = t.version
  where ${addresses('p.id')}`;

/** As HR and two of the guards see them. */
async function checkScreens(world: World, facts: Facts): Promise<string[]> {
  const { company, size } = world;
  const random = new Random(`simulation/${size.seed}/announcements seen/${dayOf(Date.now())}`);
  const [{ today } = { today: '' }] = await facts.sql<{ today: string }>(
    'select current_date::text as today',
  );
  // A transaction keeps the day on which it began.
  if (today !== dayOf(Date.now())) return [];
  const lasting = await facts.sql<{ id: string; person: string; is_read: boolean }>(LASTING);
  const rows: string[] = [];
  for (const guard of [random.pick(company.guards), random.pick(company.guards)]) {
    const own = lasting.filter(({ person }) => person === guard.id);
    const { data } = accepted(await guard.client.rpc('my_announcements'));
    const key = (id: string, isRead: boolean) => `${id} ${isRead ? 'read' : 'unread'}`;
    rows.push(
      ...difference(
        new Set(own.map(({ id, is_read }) => key(id, is_read))),
        new Set((data ?? []).map(({ id, read_at }) => key(id, read_at !== null))),
        `phone of ${guard.name}`,
      ),
    );
  }
  const readings = await facts.sql<{ id: string; readers: number }>(
    `select a.id, count(r.id)::int as readers from announcements a left join announcement_readings r
       on r.announcement_id = a.id and r.version = a.version group by a.id`,
  );
  const { data: listed } = accepted(
    await company.hr.client.from('announcement_list').select('id, readers, unread'),
  );
  for (const { id, readers } of readings) {
    const unread = lasting.filter((row) => row.id === id && !row.is_read).length;
    const shown = listed?.find((row) => row.id === id);
    if (shown?.readers !== readers || shown.unread !== unread)
      rows.push(`list: ${id} ${readers} read and ${unread} not, ${JSON.stringify(shown)} shown`);
  }
  return rows;
}

/** Compares with what phones have sent, and with whom each version addressed. */
export async function checkAnnouncements(world: World, facts: Facts): Promise<Broken[]> {
  const readings = await facts.sql<{ version: string; person: string }>(
    `select announcement_id || ' ' || version as version, user_id as person from announcement_readings`,
  );
  const notices = await facts.sql<{ id: string; person: string; count: number }>(
    `select split_part(link, '=', 2) as id, user_id as person, count(*)::int as count from notices
     where kind = 'announcement' group by 1, 2`,
  );
  const confirmed = new Set<string>();
  const wanted = new Map<string, number>();
  for (const [version, { readers, told, isWithdrawn }] of world.announced) {
    for (const person of readers) confirmed.add(`${version} ${person}`);
    const [id = ''] = version.split(' ');
    for (const person of isWithdrawn ? [] : told) {
      const key = `${id} ${person}`;
      wanted.set(key, (wanted.get(key) ?? 0) + 1);
    }
  }
  const stored = new Set(readings.map(({ version, person }) => `${version} ${person}`));
  const counts = new Map(notices.map(({ id, person, count }) => [`${id} ${person}`, count]));
  return brokenOf([
    {
      name: 'who has read an announcement is who has confirmed it',
      rows: difference(confirmed, stored, 'reading'),
    },
    {
      name: 'everybody whom an announcement addresses has one notice of each version, and none once it is withdrawn',
      rows: [...new Set([...wanted.keys(), ...counts.keys()])].flatMap((key) =>
        wanted.get(key) === counts.get(key)
          ? []
          : [`${key}: ${wanted.get(key) ?? 0} versions, ${counts.get(key) ?? 0} notices`],
      ),
    },
    {
      name: 'announcements on screens are those that address the reader, with who has read them',
      rows: await checkScreens(world, facts),
    },
  ]);
}
