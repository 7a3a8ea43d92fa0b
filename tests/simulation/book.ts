// The book of the post: guards on duty write entries, sign visitors in and out and give out keys; phones send twice, and late.
import { z } from 'zod';
import { Random } from '#demo/random.ts';
import { instantOf, MINUTE_MS } from './clock.ts';
import type { Guard, Site } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import type { Line, World } from './world.ts';

const HAPPENS = 0.5;
const TIMES = ['07:20', '11:10', '16:05', '20:40'] as const;
/** Visits end after 30 days: what is compared is younger. */
const REMEMBERED_DAYS = 28;

interface OnDuty {
  guard: Guard;
  assignment: string;
}

/** By the clock-ins that are stored, and not for longer than half a day after the shift. */
const ON_DUTY = `
  select a.id, a.user_id from assignments a
  where a.site_id = $1 and a.attendance_state = 'in' and upper(a.period) > now() - interval '11 hours' order by a.starts_at, a.id`;

/** @returns who is at the site, by number; undefined if nobody is */
async function onDuty({ company, product }: World, site: Site): Promise<OnDuty | undefined> {
  const rows = await product.sql<{ id: string; user_id: string }>(ON_DUTY, [site.id]);
  const there = rows.flatMap(({ id, user_id }) => {
    const guard = company.guards.find((one) => one.id === user_id);
    return guard ? [{ guard, assignment: id }] : [];
  });
  return there.sort((one, other) => one.guard.number - other.guard.number)[0];
}

const timesOf = (pressedAt: number) => ({
  p_device_at: new Date(pressedAt).toISOString(),
  p_sent_at: new Date().toISOString(),
});

/** The second time with other words: the first ones stay. */
async function send(
  { guard: { client }, assignment }: OnDuty,
  id: string,
  { source, words, at }: Line,
): Promise<void> {
  for (const said of [words, `${words} again`]) {
    const common = { p_id: id, p_assignment_id: assignment, ...timesOf(at) };
    if (source === 'entry')
      accepted(await client.rpc('write_entry', { ...common, p_kind: 'observation', p_text: said }));
    else if (source === 'visit')
      accepted(
        await client.rpc('sign_in_visitor', {
          ...{ ...common, p_kind: 'person', p_name: said },
          ...{ p_host: 'The manager', p_document_type: 'none' },
        }),
      );
    else
      accepted(
        await client.rpc('sign_out_key', { ...common, p_key_name: said, p_taken_by: 'A cleaner' }),
      );
  }
}

/** By the guard who is on duty then, else by the office. Sent twice: the first time counts. */
async function end(world: World, site: Site, id: string, line: Line): Promise<string> {
  const there = await onDuty(world, site);
  const client = there?.guard.client ?? world.company.operations.client;
  const pressedAt = Date.now();
  for (const at of [pressedAt, pressedAt + MINUTE_MS]) {
    const common = { ...(there && { p_assignment_id: there.assignment }), ...timesOf(at) };
    if (line.source === 'visit')
      accepted(await client.rpc('sign_out_visitor', { ...common, p_visit_id: id }));
    else accepted(await client.rpc('return_key', { ...common, p_movement_id: id }));
  }
  if (!line.isStruck) line.over ??= pressedAt;
  return there?.guard.name ?? 'by the office';
}

function planLine(world: World, site: Site, source: Line['source'], random: Random): void {
  const { agenda, book, company } = world;
  const id = uuidFrom(random);
  const words = `${source} ${random.int(100, 999)}`;
  const lateMs = random.chance(0.25) ? random.int(10, 240) * MINUTE_MS : 0;
  const ends = source !== 'entry' && random.chance(0.85);
  const lasts = 2 * random.int(8, 150) * MINUTE_MS;
  const isStruck = random.chance(0.12);
  agenda.add(agenda.now, `${site.name} gets a line in the book: ${words}`, async () => {
    const there = await onDuty(world, site);
    if (!there) return 'nobody is on duty';
    const line: Line = {
      ...{ source, words, at: Date.now(), author: there.guard.id, site: site.id, isStruck: false },
    };
    const store = async (): Promise<string | undefined> => {
      if (!company.guards.includes(there.guard)) return 'has left';
      return refusalOf(async () => {
        await send(there, id, line);
        book.set(id, line);
        if (ends)
          agenda.add(agenda.now + lasts, `${words} at ${site.name} is over`, () =>
            refusalOf(() => end(world, site, id, line)),
          );
        if (isStruck)
          agenda.add(agenda.now + lasts / 2, `the office strikes ${words} through`, () =>
            refusalOf(async () => {
              for (const p_reason of ['Wrong gate', 'Another reason'])
                accepted(
                  await company.operations.client.rpc('strike_line', {
                    ...{ p_source: source, p_id: id, p_reason },
                  }),
                );
              line.isStruck = true;
            }),
          );
      });
    };
    if (lateMs === 0) return (await store()) ?? there.guard.name;
    agenda.add(agenda.now + lateMs, `the phone of ${there.guard.name} sends ${words}`, store);
    return `${there.guard.name}, later`;
  });
}

export function planBook(world: World, day: string): void {
  const { agenda, company, size } = world;
  for (const time of TIMES) {
    const random = new Random(`simulation/${size.seed}/book/${day} ${time}`);
    if (!random.chance(HAPPENS)) continue;
    const site = random.pick(company.sites);
    const source = random.among({ entry: 35, visit: 45, key: 20 });
    agenda.add(instantOf(day, time), `somebody comes to ${site.name}`, async () => {
      planLine(world, site, source, random);
      return undefined;
    });
  }
}

const STORED = `
  select 'entry' as source, id, site_id, user_id as author, text as words, written_at as at, null::timestamptz as over,
    strike_reason from post_entries
  union all
  select 'visit', id, site_id, in_by, name, in_at, out_at, strike_reason from visits
  union all
  select 'key', id, site_id, out_by, key_name, out_at, in_at, strike_reason from key_movements`;

interface Stored {
  source: string;
  id: string;
  site_id: string;
  author: string;
  words: string;
  at: Date;
  over: Date | null;
  strike_reason: string | null;
}

/** Of the phone's clock and the server's, which goes on while a call is under way. */
const NEAR_MS = 10_000;
const isNear = (one: number | undefined, other: Date | null): boolean =>
  one === undefined || other === null
    ? one === undefined && other === null
    : Math.abs(one - other.getTime()) < NEAR_MS;

function differences(lines: Map<string, Line>, rows: Stored[], since: number): string[] {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const changed = [...lines].flatMap(([id, line]) => {
    if (line.at < since) return [];
    const row = stored.get(id);
    const isSame =
      row?.words === line.words &&
      row.source === line.source &&
      row.site_id === line.site &&
      row.author === line.author &&
      isNear(line.at, row.at) &&
      isNear(line.over, row.over) &&
      row.strike_reason === (line.isStruck ? 'Wrong gate' : null);
    return isSame ? [] : [`${JSON.stringify(line)}: ${JSON.stringify(row)}`];
  });
  const unknown = rows.filter(({ id }) => !lines.has(id));
  return [...changed, ...unknown.map(({ source, id }) => `${source} ${id} was never written`)];
}

const listSchema = z.array(z.object({ id: z.string() }));

/** Of a guard on duty at each site: who is inside and which keys are out, as the phone lists them. */
async function checkPhones(world: World, rows: Stored[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const site of world.company.sites) {
    const there = await onDuty(world, site);
    if (!there) continue;
    const { data } = accepted(await there.guard.client.rpc('my_book').maybeSingle());
    if (data?.site_id !== site.id) continue;
    const listed = [data.inside, data.keys].flatMap((list) =>
      listSchema.parse(list).map(({ id }) => id),
    );
    const open = rows.flatMap(({ id, source, over, site_id, strike_reason }) =>
      site_id === site.id && source !== 'entry' && over === null && strike_reason === null
        ? [id]
        : [],
    );
    const [ours, theirs] = [open.sort().join(' '), listed.sort().join(' ')];
    if (ours !== theirs) wrong.push(`${site.name}: ${ours} by the tables, ${theirs} on the phone`);
  }
  return wrong;
}

export async function checkBook(world: World, facts: Facts): Promise<Broken[]> {
  const rows = await facts.sql<Stored & Record<string, unknown>>(STORED);
  const since = Date.now() - REMEMBERED_DAYS * 24 * 60 * MINUTE_MS;
  return brokenOf([
    {
      name: 'the book of a post has each line once, as it was first sent, and over and struck through once',
      rows: differences(world.book, rows, since),
    },
    {
      name: 'who has not left and which key is not back is listed on the phone of who is on duty',
      rows: await checkPhones(world, rows),
    },
  ]);
}
