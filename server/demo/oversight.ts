// Which supervisor is responsible for which sites, and so who corrects a record there.
import type { Business, Site } from './clients-and-sites.ts';
import type { Region } from './data.ts';
import type { People, Person } from './people.ts';

const REGION_OF: Readonly<Record<string, Region>> = {
  'Regional Supervisor, West': 'west',
  'Regional Supervisor, Centre': 'centre',
  'Regional Supervisor, South': 'south',
  'Regional Supervisor, South East': 'south-east',
};
/** Per site supervisor. */
const SITES_EACH = 3;

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
      const region = REGION_OF[person.title ?? ''];
      if (region === undefined) this.#give(person, west.splice(0, SITES_EACH));
      else if (region !== 'west')
        this.#give(
          person,
          rest.filter(({ place }) => place.region === region),
        );
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
