import type { Cycle, Preset } from '../../shared/demand/cycle.ts';
import type { Place } from './places.ts';

export interface Client {
  id: string;
  name: string;
  payment: string;
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
  posts: readonly Post[];
}

interface Requirement {
  id: string;
  preset: Preset;
  cycle: Cycle;
  /** First day. */
  from: number;
  /** Last day; Infinity for good. */
  to: number;
}

export interface Post {
  id: string;
  site: Site;
  name: string;
  guards: number;
  /** Title of the certificate that guards need. */
  course: string | undefined;
  needsInduction: boolean;
  gender: string | undefined;
  genderReason: string | undefined;
  requirements: readonly Requirement[];
  /** Start of the slots that the same guards work, HH:MM: a regular for each of their seats. */
  lines: readonly string[];
}
