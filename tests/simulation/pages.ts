// Pages of the book for clients: released by hand or at an hour of the site, without what is withheld; corrected and withdrawn.
import { z } from 'zod';
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import type { Site } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import type { World } from './world.ts';

/** Of the first site, by itself. */
const HOUR = 7;
/** What the first site keeps from its client. */
const WITHHELD = ['handover', 'key', 'incident'];
/** A day is looked at again for so many days. */
const CORRECTED_DAYS = 4;

const draftSchema = z.object({
  fingerprint: z.string(),
  lines: z.array(
    z.object({
      source: z.string(),
      id: z.string(),
      step: z.string().nullable(),
      words: z.string().nullable(),
      withheld: z.string().nullable(),
    }),
  ),
  released: z
    .object({
      id: z.string(),
      withdrawn_at: z.string().nullable(),
      changes: z.array(z.unknown()),
    })
    .nullable(),
});

async function draftOf({ company }: World, site: Site, p_day: string) {
  const { data } = accepted(
    await company.operations.client.rpc('page_draft', { p_site_id: site.id, p_day }),
  );
  return draftSchema.parse(data);
}

/** Twice: the second press changes nothing. */
async function release(world: World, site: Site, p_day: string, p_fingerprint: string) {
  const { client } = world.company.operations;
  const press = async () =>
    accepted(await client.rpc('release_page', { p_site_id: site.id, p_day, p_fingerprint })).data;
  const first = await press();
  if ((await press()) !== first) throw new Error('A page was released twice by one look at it.');
}

/** One of the lines that guards have written. @returns whether there was one */
async function withhold(world: World, site: Site, p_day: string, random: Random): Promise<boolean> {
  const { lines } = await draftOf(world, site, p_day);
  const written = lines
    .filter(({ source, withheld }) => ['entry', 'visit', 'key'].includes(source) && !withheld)
    .toSorted((a, b) => `${a.words} ${a.step}`.localeCompare(`${b.words} ${b.step}`));
  if (written.length === 0) return false;
  const { source, id } = random.pick(written);
  const line = { p_site_id: site.id, p_day, p_source: source, p_id: id };
  for (const _ of [1, 2])
    accepted(await world.company.operations.client.rpc('withhold_line', line));
  return true;
}

async function releaseByHand(world: World, site: Site, day: string, random: Random) {
  const looked = await draftOf(world, site, day);
  if (looked.lines.length === 0) return 'nothing is written';
  const isWithheld = random.chance(0.4) && (await withhold(world, site, day, random));
  if (isWithheld) {
    // Somebody else has changed the page since it was opened.
    const stale = await refusalOf(() => release(world, site, day, looked.fingerprint));
    if (stale === undefined) throw new Error('A page was released that nobody had looked at.');
  }
  const { fingerprint, lines } = await draftOf(world, site, day);
  await release(world, site, day, fingerprint);
  return `${lines.filter(({ withheld }) => withheld === null).length} of ${lines.length} lines`;
}

/** Days whose book is no longer as it was released. */
async function correct(world: World, day: string, random: Random): Promise<string> {
  let released = 0;
  for (const site of world.company.sites)
    for (let ago = 1; ago <= CORRECTED_DAYS; ago += 1) {
      const on = addDays(day, -ago);
      const draft = await draftOf(world, site, on);
      const { released: last, fingerprint } = draft;
      if (!last || last.withdrawn_at !== null || last.changes.length === 0) continue;
      if (!random.chance(0.7)) continue;
      await release(world, site, on, fingerprint);
      released += 1;
    }
  return `${released} released again`;
}

/** The first reason stays. Some come back a day later, without what was wrong. */
async function withdraw(world: World, site: Site, day: string, random: Random): Promise<string> {
  const { released } = await draftOf(world, site, day);
  if (!released) return 'is not released';
  for (const p_reason of ['The names were not agreed', 'Another reason'])
    accepted(
      await world.company.operations.client.rpc('withdraw_page', {
        p_page_id: released.id,
        p_reason,
      }),
    );
  if (random.chance(0.5))
    world.agenda.add(
      instantOf(addDays(day, 2), '10:05'),
      `operations releases again the page of ${site.name} of ${day}`,
      async () => {
        await withhold(world, site, day, random);
        const { fingerprint } = await draftOf(world, site, day);
        await release(world, site, day, fingerprint);
        return undefined;
      },
    );
  return released.withdrawn_at === null ? 'withdrawn' : 'is withdrawn already';
}

async function setUp({ company }: World): Promise<undefined> {
  const [first] = company.sites;
  accepted(
    await company.operations.client
      .from('sites')
      .update({ book_release_hour: HOUR, book_kinds_withheld: WITHHELD })
      .eq('id', first?.id ?? ''),
  );
}

export function planPages(world: World, day: string): void {
  const { agenda, company, size } = world;
  const began = addDays(company.opensOn, 1);
  if (day === began)
    agenda.add(instantOf(day, '08:45'), 'operations sets when pages are released', () =>
      setUp(world),
    );
  if (day <= began) return;
  const random = new Random(`simulation/${size.seed}/pages/${day}`);
  const streamOf = (what: string) => new Random(`simulation/${size.seed}/pages/${day}/${what}`);
  const yesterday = addDays(day, -1);
  for (const site of company.sites.slice(1)) {
    const own = streamOf(site.name);
    if (own.chance(0.7))
      agenda.add(instantOf(day, '09:25'), `operations releases the page of ${site.name}`, () =>
        releaseByHand(world, site, yesterday, own),
      );
  }
  const site = random.pick(company.sites);
  if (random.chance(0.5))
    agenda.add(instantOf(day, '13:35'), `operations withholds a line of ${site.name}`, async () =>
      (await withhold(world, site, yesterday, streamOf('withhold'))) ? undefined : 'there is none',
    );
  if (random.chance(0.2))
    agenda.add(instantOf(day, '14:25'), `operations withdraws the page of ${site.name}`, () =>
      withdraw(world, site, yesterday, streamOf('withdraw')),
    );
  agenda.add(instantOf(day, '17:25'), 'operations looks for pages that have changed', () =>
    correct(world, day, streamOf('correct')),
  );
}
