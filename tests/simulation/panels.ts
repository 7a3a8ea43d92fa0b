// Alarm panels: what they sign makes one call, however often it is sent; what nobody signed makes none.
import { z } from 'zod';
import { Random } from '#demo/random.ts';
import { gatewaySignature } from '#server/messages/signatures.ts';
import { instantOf, MINUTE_MS } from './clock.ts';
import type { Site } from './company.ts';
import { planAnswer } from './dispatch.ts';
import { accepted } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import type { Panel, Signal, World } from './world.ts';

const HAPPENS = 0.35;
const answerSchema = z.object({ outcome: z.string(), call: z.string().nullable() });

/** Of the site; made when it first rings. */
async function panelOf({ company, panels, size }: World, site: Site): Promise<Panel> {
  const known = panels.get(site.id);
  if (known) return known;
  const { client } = company.operations;
  const id = uuidFrom(new Random(`simulation/${size.seed}/panel/${site.name}`));
  for (const _ of [1, 2])
    accepted(
      await client.rpc('save_panel', {
        ...{ p_id: id, p_name: `Panel of ${site.name}`, p_site_id: site.id },
      }),
    );
  const { data } = accepted(await client.rpc('new_panel_secret', { p_panel_id: id }));
  const panel = { id, secret: data ?? '' };
  panels.set(site.id, panel);
  return panel;
}

async function post({ product }: World, { id, secret }: Panel, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return fetch(`${product.url}/alarms/in/${id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-signature': `sha256=${gatewaySignature(timestamp, body, secret)}`,
    },
    body,
  });
}

/** Thrice: twice at once, and once more. A stranger who knows the address gets nothing through. */
async function ring(world: World, panel: Panel, key: string, event: object): Promise<Signal> {
  const body = JSON.stringify({ id: key, ...event });
  const forged = await post(world, { ...panel, secret: 'guessed' }, body);
  if (forged.status !== 401) throw new Error(`A forged alarm was answered ${forged.status}.`);
  const atOnce = await Promise.all([post(world, panel, body), post(world, panel, body)]);
  const answers = [...atOnce, await post(world, panel, body)];
  const taken: Signal[] = [];
  for (const answer of answers) {
    if (!answer.ok) throw new Error(`A panel was answered ${answer.status}.`);
    taken.push(answerSchema.parse(await answer.json()));
  }
  const first = taken.find(({ outcome }) => outcome !== 'repeated');
  if (!first || taken.filter(({ outcome }) => outcome === 'repeated').length !== 2)
    throw new Error(`One event was taken as ${taken.map(({ outcome }) => outcome).join(', ')}.`);
  world.signals.set(`${panel.id} ${key}`, first);
  return first;
}

export function planPanels(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/panels/${day}`);
  if (!random.chance(HAPPENS)) return;
  const site = random.pick(company.sites);
  const kind = random.pick(['intruder', 'fire'] as const);
  const at = instantOf(day, random.pick(['01:35', '13:25', '21:15']));
  const isAgain = random.chance(0.4);
  const isRestored = random.chance(0.6);
  agenda.add(at, `the panel of ${site.name} rings: ${kind}`, async () => {
    const panel = await panelOf(world, site);
    const { outcome, call } = await ring(world, panel, `${day} alarm`, { kind, text: 'Zone 3' });
    if (outcome === 'call' && call !== null) planAnswer(world, call, random);
    return outcome;
  });
  if (isAgain)
    agenda.add(at + 3 * MINUTE_MS, `the panel of ${site.name} rings on: ${kind}`, async () => {
      const panel = await panelOf(world, site);
      return (await ring(world, panel, `${day} again`, { kind, text: 'Zone 4' })).outcome;
    });
  if (isRestored)
    agenda.add(at + 9 * MINUTE_MS, `the panel of ${site.name} restores`, async () => {
      const panel = await panelOf(world, site);
      const restored = { kind, text: 'Zone 3', restore: true };
      return (await ring(world, panel, `${day} restored`, restored)).outcome;
    });
}

interface Event {
  key: string;
  call: string | null;
  signal: string;
}

const CALLS = `
  select e.panel_id || ' ' || e.event_key as key, e.call_id as call, e.signal from panel_events e`;

/** Calls of panels, and how many events, notices to each dispatcher and notes they have. */
const MADE = `
  select c.id, c.source_key, (
      select count(*)::int from panel_events e where 'panel:' || e.panel_id || ':' || e.event_key = c.source_key) as causes, (
      select coalesce(max(n), 0)::int from (
        select count(*) as n from notices o where o.dedupe_key = 'panel:' || c.id group by o.user_id) t) as told
  from service_calls c where c.source = 'panel'`;

export async function checkPanels({ signals }: World, facts: Facts): Promise<Broken[]> {
  const stored = await facts.sql<Event & Record<string, unknown>>(CALLS);
  const made = await facts.sql<{ id: string; source_key: string; causes: number; told: number }>(
    MADE,
  );
  const byKey = new Map(stored.map((event) => [event.key, event]));
  const rows = [...signals].flatMap(([key, { outcome, call }]) => {
    const event = byKey.get(key);
    const own = made.filter(({ source_key }) => source_key === `panel:${key.replace(' ', ':')}`);
    const isRight =
      event !== undefined && event.call === call && own.length === (outcome === 'call' ? 1 : 0);
    return isRight ? [] : [`${key} ${outcome}: ${own.length} calls, ${JSON.stringify(event)}`];
  });
  const unknown = stored.filter(({ key }) => !signals.has(key));
  return brokenOf([
    {
      name: 'each event that a panel signed is stored once, and each alarm is one call or in one',
      rows: [
        ...rows,
        ...unknown.map(({ key }) => `${key} was never signed`),
        ...made.filter(({ causes, told }) => causes !== 1 || told > 1),
      ],
    },
  ]);
}
