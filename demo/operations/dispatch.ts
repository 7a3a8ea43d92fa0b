// Response units, the calls of the last weeks, and two that are open.

import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import type { Site } from '../clients/site.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';

const MINUTE = 60_000;

/** Call sign, vehicle, and the site from which it leaves. The first has guard@ among its people. */
const UNITS = [
  ['Rapid 1', 'Toyota Hilux, white', 'Freeport Container Yard'],
  ['Rapid 2', 'Toyota Hilux, grey', 'Ducor Bank Paynesville Branch'],
  ['Rapid 3', 'Motorcycle', 'Ducor Bank Head Office'],
  ['Rapid 4', 'Nissan Patrol', 'Lone Pine Hotel'],
  ['Rapid 5', 'Toyota Land Cruiser', 'Bassa Bay Lodge'],
] as const;
const PEOPLE_EACH = 2;

/** Name, site, Contact ID account, and what it sent yesterday. */
const PANELS = [
  [
    'Panel of the container yard',
    'Freeport Container Yard',
    '1204',
    'Periodic test (602), partition 00, zone 000',
  ],
  [
    'Panel of the vault',
    'Ducor Bank Head Office',
    null,
    'Low battery (302), partition 00, zone 000',
  ],
] as const;

/** Ids of kinds in use, from here on: a new kind would change every id of the demo, and so the pictures of the guide. */
const OTHER_IDS = 5_000;
const panelId = (number: number): string => idOf('response unit', OTHER_IDS + number);

/** Minutes until answer, way and scene, as goals and as they were. */
const GOALS = { danger: [3, 5, 15], urgent: [5, 10, 30], routine: [15, 30, 60] } as const;

const KINDS = [
  ['alarm', 'urgent', 'Alarm of zone 2, no answer at the site.'],
  ['alarm', 'urgent', 'Door contact at the back opened twice.'],
  ['intruder', 'danger', 'Two men on the wall behind the store.'],
  ['escort', 'routine', 'Cash pickup at the counter, one vehicle.'],
  ['medical', 'danger', 'A visitor collapsed at the gate.'],
  ['other', 'routine', 'Noise from the neighbours’ compound.'],
] as const;
const OUTCOMES = ['false_alarm', 'secured', 'intervened', 'handed_over', 'secured'] as const;

/** One every day and a half. */
const CLOSED = 16;

type Priority = keyof typeof GOALS;

interface Told {
  site: Site;
  unit: number;
  kind: (typeof KINDS)[number];
  at: number;
  /** Minutes after the call of: assigned, accepted, en route, on scene, clear, closed. */
  minutes: readonly number[];
  outcome?: (typeof OUTCOMES)[number];
}

const STEPS = ['assigned', 'accepted', 'en_route', 'on_scene', 'clear', 'closed'] as const;
const STATES = ['open', 'assigned', 'assigned', 'en_route', 'on_scene', 'clear', 'closed'] as const;

export async function insertDispatch({
  client,
  business,
  people,
  calendar,
}: Loading): Promise<void> {
  const random = new Random('dispatch');
  const now = calendar.now.getTime();
  const dispatcher = people.named('dispatcher').id;
  const siteNamed = (name: string): Site => {
    const site = business.sites.find((one) => one.name === name);
    if (site === undefined) throw new Error(`${name} is not among the sites.`);
    return site;
  };
  const bases = UNITS.map(([, , base]) => siteNamed(base));
  const near = business.sites.filter(({ place }) => place.county === 'Montserrado');
  const told: Told[] = Array.from({ length: CLOSED }, (_, index) => {
    const assigned = random.int(1, 2);
    const accepted = assigned + random.int(0, 1);
    const way = accepted + random.int(1, 3);
    const scene = way + random.int(5, 18);
    const clear = scene + random.int(10, 45);
    return {
      site: random.pick(near),
      unit: random.int(0, 3),
      kind: random.pick(KINDS),
      at: now - (CLOSED - index) * 36 * HOUR + random.int(0, 20) * HOUR,
      minutes: [assigned, accepted, way, scene, clear, clear + random.int(1, 5)],
      outcome: random.pick(OUTCOMES),
    };
  });
  told.push(
    {
      site: siteNamed('Palm Grove Beach Hotel'),
      unit: 3,
      kind: KINDS[0],
      at: now - 26 * MINUTE,
      minutes: [1, 2, 4, 15],
    },
    {
      site: siteNamed('Ducor Bank Paynesville Branch'),
      unit: 1,
      kind: KINDS[3],
      at: now - 12 * MINUTE,
      minutes: [2, 3, 6],
    },
  );

  const guards = people.guards.filter(({ left, role }) => left === undefined && role === 'guard');
  const own = people.named('guard');
  const others = guards.filter(({ id }) => id !== own.id && id !== people.named('guard2').id);
  const units = UNITS.map(([call_sign, vehicle], number) => {
    const last = told.findLast(({ unit, outcome }) => unit === number && outcome === undefined);
    const call = last && told.indexOf(last);
    const isOut = number === UNITS.length - 1;
    const step = last ? last.minutes.length : 0;
    return {
      id: idOf('response unit', number),
      call_sign,
      vehicle,
      site_id: bases[number]?.id ?? null,
      state: isOut ? 'out_of_service' : last ? (STATES[step] ?? 'assigned') : 'available',
      state_since: iso(last ? last.at + (last.minutes.at(-1) ?? 0) * MINUTE : now - 30 * HOUR),
      call_id: call === undefined ? null : idOf('service call', call),
      assigned_id: call === undefined ? null : idOf('unit event', call * 10 + 1),
      accepted_at: last ? iso(last.at + (last.minutes[1] ?? 0) * MINUTE) : null,
      created_at: iso(calendar.at(-60, 9)),
      updated_at: iso(now - MINUTE),
    };
  });
  const calls = told.map(
    ({ site, kind: [kind, priority, details], at, minutes, outcome }, number) => {
      const [answer, way, scene] = GOALS[priority satisfies Priority];
      const time = (place: number) => {
        const minute = minutes[place];
        return minute === undefined ? null : iso(at + minute * MINUTE);
      };
      return {
        id: idOf('service call', number),
        site_id: site.id,
        client_id: site.client.id,
        client_name: site.client.name,
        address: site.address,
        gps: `${site.latitude},${site.longitude}`,
        kind,
        priority,
        details,
        caller_name: 'Reception',
        caller_phone: `+23177094${String(1000 + number)}`,
        received_at: iso(at),
        answer_due_at: iso(at + answer * MINUTE),
        en_route_due_at: iso(at + way * MINUTE),
        on_scene_due_at: iso(at + scene * MINUTE),
        state: outcome === undefined ? (STATES[minutes.length] ?? 'open') : 'closed',
        answered_at: time(1),
        en_route_at: time(2),
        on_scene_at: time(3),
        cleared_at: time(4),
        closed_at: time(5),
        outcome: outcome ?? null,
        created_by: dispatcher,
        created_at: iso(at),
        updated_at: iso(at + (minutes.at(-1) ?? 0) * MINUTE),
      };
    },
  );
  const members = UNITS.flatMap((_, number) => {
    const first = number === 0 ? own : others[number * PEOPLE_EACH];
    return [first, others[number * PEOPLE_EACH + 1]].map((person) => ({ number, person }));
  }).map(({ number, person }, index) => ({
    id: idOf('unit member', index),
    unit_id: idOf('response unit', number),
    user_id: person?.id ?? own.id,
    created_at: iso(calendar.at(-60, 9)),
  }));
  const events = told.flatMap(({ at, unit, minutes, outcome }, number) =>
    [
      { place: 0, kind: 'received', at },
      ...minutes.map((minute, step) => ({
        place: step + 1,
        kind: STEPS[step] ?? 'note',
        at: at + minute * MINUTE,
      })),
    ].map((event) => {
      const isOfCall = event.kind === 'received' || event.kind === 'closed';
      const isByOffice = isOfCall || event.kind === 'assigned';
      return {
        id: idOf('unit event', number * 10 + event.place),
        call_id: idOf('service call', number),
        unit_id: isOfCall ? null : idOf('response unit', unit),
        assigned_id: isByOffice ? null : idOf('unit event', number * 10 + 1),
        kind: event.kind,
        user_id: isByOffice ? dispatcher : (members[unit * PEOPLE_EACH + 1]?.user_id ?? dispatcher),
        happened_at: iso(event.at),
        received_at: iso(event.at),
        outcome: event.kind === 'closed' ? (outcome ?? null) : null,
        note: null,
      };
    }),
  );
  const workshop = now - 30 * HOUR;
  await insertRows(client, 'service_calls', calls);
  await insertRows(client, 'response_units', units);
  await insertRows(client, 'unit_members', members);
  await insertRows(client, 'unit_events', [
    {
      id: idOf('unit event', 999),
      call_id: null,
      unit_id: idOf('response unit', UNITS.length - 1),
      assigned_id: null,
      kind: 'out_of_service',
      user_id: dispatcher,
      happened_at: iso(workshop),
      received_at: iso(workshop),
      outcome: null,
      note: 'In the workshop, new brakes',
    },
    ...events,
  ]);
  await insertRows(
    client,
    'alarm_panels',
    PANELS.map(([name, site, account], number) => ({
      id: panelId(number),
      name,
      site_id: siteNamed(site).id,
      account,
      created_by: people.named('ops').id,
      created_at: iso(calendar.at(-60, 9)),
      updated_at: iso(calendar.at(-60, 9)),
    })),
  );
  await insertRows(
    client,
    'panel_events',
    PANELS.map(([, , , body], number) => ({
      id: idOf('unit event', OTHER_IDS + number),
      panel_id: panelId(number),
      event_key: '1',
      signal: 'note',
      body,
      received_at: iso(calendar.at(-1, 6)),
    })),
  );
}
