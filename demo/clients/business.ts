// Clients, their sites, and who supervises which site.
import type { ClientBase } from 'pg';
import { type Calendar, iso } from '../calendar.ts';
import { insertRows } from '../insert-rows.ts';
import type { People, Person } from '../people/people.ts';
import { makePosts, seatsOf } from '../posts/posts.ts';
import { idOf, Random } from '../random.ts';
import clientsData from './clients.json' with { type: 'json' };
import { BUSIEST_SITE, LONE_SITES, placeOf, STREETS, WELFARE_MINUTES } from './places.ts';
import type { Client, Site } from './site.ts';

const { clients: CLIENTS } = clientsData;

export interface Business {
  clients: Client[];
  sites: Site[];
  busiest: Site;
}

export interface Company {
  people: People;
  business: Business;
  oversight: Oversight;
  calendar: Calendar;
}

/** And the connection that fills the database. */
export type Loading = Company & { client: ClientBase };

/** A part of the company, written in the caller's transaction. */
export type Step = (company: Loading) => Promise<void>;

/** Degrees that keep a site within its part of town. */
const SCATTER = 0.0035;

/** Days ago: before the first shift of the demo. */
const EARLIEST_CONTRACT = 170;

export const sumOf = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0);

export function makeBusiness(calendar: Calendar): Business {
  const random = new Random('clients');
  const clients: Client[] = [];
  const sites: Site[] = [];
  for (const { name, payment, sites: entries } of CLIENTS) {
    const guards = sumOf(entries.map(({ posts }) => seatsOf(posts)));
    const client: Client = {
      id: idOf('client', clients.length),
      name,
      payment,
      location: placeOf(entries[0]?.place ?? '').address,
      guards,
      monthlyRate: (guards * random.int(500, 700)).toFixed(2),
      since: -random.int(EARLIEST_CONTRACT, 1800),
    };
    clients.push(client);
    for (const { name: siteName, place: placeName, posts } of entries) {
      const place = placeOf(placeName);
      const scatter = (): number => (random.next() - 0.5) * 2 * SCATTER;
      const site: Site = {
        id: idOf('site', sites.length),
        name: siteName,
        client,
        place,
        address: `${random.int(1, 140)} ${random.pick(STREETS)}, ${place.address}`,
        latitude: Number((place.latitude + scatter()).toFixed(6)),
        longitude: Number((place.longitude + scatter()).toFixed(6)),
        radius: seatsOf(posts) >= 6 ? 400 : random.pick([100, 150, 200, 250]),
        posts: [],
      };
      const number = sites.push(site) - 1;
      site.posts = makePosts(site, number, posts, calendar);
    }
  }
  const busiest = sites.find(({ name }) => name === BUSIEST_SITE);
  if (busiest === undefined) throw new Error(`${BUSIEST_SITE} is not among the sites.`);
  return { clients, sites, busiest };
}

export async function insertBusiness(company: Loading): Promise<void> {
  const { client, business, people, calendar } = company;
  const clients = business.clients.map((one) => ({
    id: one.id,
    name: one.name,
    number_of_guards: one.guards,
    monthly_rate: one.monthlyRate,
    location: one.location,
    payment_method: one.payment,
    created_by: people.named('ops').id,
    created_at: iso(calendar.at(one.since, 10)),
  }));
  await insertRows(client, 'clients', clients);
  const sites = business.sites.map((site) => ({
    id: site.id,
    name: site.name,
    client_name: site.client.name,
    client_id: site.client.id,
    address: site.address,
    county: site.place.county,
    latitude: site.latitude,
    longitude: site.longitude,
    geofence_radius_m: site.radius,
    welfare_every_minutes: LONE_SITES.includes(site.name) ? WELFARE_MINUTES : null,
    created_at: iso(calendar.at(site.client.since, 11)),
  }));
  await insertRows(client, 'sites', sites);
}

/** Per site supervisor. */
const SITES_EACH = 3;

/** Which supervisor is responsible for which sites, and so who corrects a record there. */
export class Oversight {
  readonly #sites = new Map<Person, Site[]>();
  readonly #overseer = new Map<Site, Person>();

  /** supervisor@ has the busiest site; regional supervisors have their region, but the one of the west has all sites. */
  constructor(people: People, business: Business) {
    const supervisor = people.named('supervisor');
    this.#give(supervisor, [business.busiest]);
    const rest = business.sites.filter((site) => site !== business.busiest);
    const west = rest.filter(({ place }) => place.region === 'west');
    for (const person of people.office) {
      if (person.role !== 'supervisor' || person === supervisor) continue;
      const { region } = person;
      const ofRegion = rest.filter(({ place }) => place.region === region);
      if (region === undefined) this.#give(person, west.splice(0, SITES_EACH));
      else if (region !== 'west') this.#give(person, ofRegion);
    }
    const director = people.named('ops');
    for (const site of rest) {
      if (!this.#overseer.has(site)) this.#overseer.set(site, director);
    }
  }

  /** @returns site ids; empty for people who supervise all sites or none */
  sitesOf(person: Person): readonly string[] {
    return this.#sites.get(person)?.map(({ id }) => id) ?? [];
  }

  /** @throws Error for a site of another company */
  overseerOf(site: Site): Person {
    const person = this.#overseer.get(site);
    if (person === undefined) throw new Error(`${site.name} has no supervisor.`);
    return person;
  }

  #give(person: Person, sites: Site[]): void {
    this.#sites.set(person, sites);
    for (const site of sites) this.#overseer.set(site, person);
  }
}

/** By guards; the first is the one whose contact the demo's account is. */
export const largestClients = (clients: readonly Client[], count: number): Client[] =>
  [...clients].sort((a, b) => b.guards - a.guards).slice(0, count);
