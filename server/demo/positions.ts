// Positions that phones report: a few dozen per site, near it and far from it.
import type { Site } from './clients-and-sites.ts';
import { Random } from './random.ts';

/** Degrees of latitude. */
const METRE = 1 / 111_320;
const NEAR = 48;
const FAR = 6;

export interface Position {
  number: number;
  site: Site;
  /** 'lat,lng' in degrees, as the clock dialog sends it. */
  gps: string;
}

export class Positions {
  readonly all: Position[] = [];
  readonly #near = new Map<Site, Position[]>();
  readonly #far = new Map<Site, Position[]>();

  constructor(sites: readonly Site[]) {
    const random = new Random('positions');
    const around = (site: Site, count: number, from: number, to: number): Position[] => {
      const made = Array.from({ length: count }, (_, i): Position => {
        const metres = random.int(from, to);
        const angle = random.next() * 2 * Math.PI;
        const latitude = site.latitude + metres * Math.sin(angle) * METRE;
        const longitude = site.longitude + metres * Math.cos(angle) * METRE;
        const gps = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
        return { number: this.all.length + i, site, gps };
      });
      this.all.push(...made);
      return made;
    };
    for (const site of sites) {
      this.#near.set(site, around(site, NEAR, 2, 75));
      this.#far.set(site, around(site, FAR, 450, 3_000));
    }
  }

  near(site: Site): readonly Position[] {
    return this.#near.get(site) ?? [];
  }

  far(site: Site): readonly Position[] {
    return this.#far.get(site) ?? [];
  }
}
