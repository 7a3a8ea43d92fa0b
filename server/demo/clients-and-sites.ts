import type { ClientBase } from 'pg';
import { type Calendar, iso } from './calendar.ts';
import {
  BUSIEST_SITE,
  CLIENTS,
  type ClientEntry,
  type Place,
  STREETS,
  type Turns,
} from './data.ts';
import { idOf } from './ids.ts';
import { load } from './load.ts';
import type { People } from './people.ts';
import { Random } from './random.ts';

const countGuards = (turns: Turns): number => turns.reduce((sum, guards) => sum + guards, 0);

export interface Client {
  id: string;
  name: string;
  payment: ClientEntry['payment'];
  location: string;
  guards: number;
  monthlyRate: string;
  /** Calendar day on which the contract started. */
  since: number;
}

export interface Site {
  id: string;
  name: string;
  client: Client;
  place: Place;
  address: string;
  latitude: number;
  longitude: number;
  /** Metres. */
  radius: number;
  turns: Turns;
}

export interface Business {
  clients: Client[];
  sites: Site[];
  busiest: Site;
}

/** Degrees that keep a site within its part of town. */
const SCATTER = 0.0035;

export function makeBusiness(): Business {
  const random = new Random('clients');
  const clients: Client[] = [];
  const sites: Site[] = [];
  for (const { name, payment, sites: entries } of CLIENTS) {
    const guards = entries.reduce((sum, { turns }) => sum + countGuards(turns), 0);
    const [first] = entries;
    const client: Client = {
      id: idOf('client', clients.length),
      name,
      payment,
      location: first?.place.address ?? '',
      guards,
      monthlyRate: (guards * random.int(300, 440)).toFixed(2),
      since: -random.int(120, 1800),
    };
    clients.push(client);
    for (const { name: siteName, place, turns } of entries) {
      const scatter = (): number => (random.next() - 0.5) * 2 * SCATTER;
      sites.push({
        id: idOf('site', sites.length),
        name: siteName,
        client,
        place,
        address: `${random.int(1, 140)} ${random.pick(STREETS)}, ${place.address}`,
        latitude: Number((place.latitude + scatter()).toFixed(6)),
        longitude: Number((place.longitude + scatter()).toFixed(6)),
        radius: countGuards(turns) >= 8 ? 400 : random.pick([100, 150, 200, 250]),
        turns,
      });
    }
  }
  const busiest = sites.find(({ name }) => name === BUSIEST_SITE);
  if (busiest === undefined) throw new Error(`${BUSIEST_SITE} is not among the sites.`);
  return { clients, sites, busiest };
}

export async function insertBusiness(
  client: ClientBase,
  { clients, sites }: Business,
  people: People,
  calendar: Calendar,
): Promise<void> {
  const author = people.named('ops').id;
  await load(
    client,
    'public.clients',
    {
      id: 'uuid',
      name: 'text',
      number_of_guards: 'int',
      monthly_rate: 'numeric',
      location: 'text',
      payment_method: 'text',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    clients.map((one) => ({
      id: one.id,
      name: one.name,
      number_of_guards: one.guards,
      monthly_rate: one.monthlyRate,
      location: one.location,
      payment_method: one.payment,
      created_by: author,
      created_at: iso(calendar.at(one.since, 10)),
    })),
  );
  await load(
    client,
    'public.sites',
    {
      id: 'uuid',
      name: 'text',
      client_name: 'text',
      client_id: 'uuid',
      address: 'text',
      latitude: 'float8',
      longitude: 'float8',
      geofence_radius_m: 'int',
      created_at: 'timestamptz',
    },
    sites.map((site) => ({
      id: site.id,
      name: site.name,
      client_name: site.client.name,
      client_id: site.client.id,
      address: site.address,
      latitude: site.latitude,
      longitude: site.longitude,
      geofence_radius_m: site.radius,
      created_at: iso(calendar.at(site.client.since, 11)),
    })),
  );
}
