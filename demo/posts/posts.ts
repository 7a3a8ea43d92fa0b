// Posts of the sites and when they are manned, as an office would have set them up with the presets.
import { type Cycle, PRESETS, type Preset, presetCycle } from '../../shared/demand/cycle.ts';
import type { Calendar } from '../calendar.ts';
import type { Post, Site } from '../clients/site.ts';
import { idOf } from '../random.ts';

/** An entry of clients.json. */
interface Entry {
  name: string;
  preset: string;
  guards: number;
  course?: string;
  induction?: boolean;
  gender?: string;
  genderReason?: string;
  /** From a day on, the contract asks for this many guards. */
  guardsLater?: number;
}

/** @throws Error for a pattern that clients.json invents */
function presetOf({ preset }: Entry): Preset {
  const known = PRESETS.find((one) => one === preset);
  if (known === undefined) throw new Error(`Unknown preset ${preset}`);
  return known;
}

const startsOf = ({ slots }: Cycle): string[] => [...new Set(slots.map(({ start }) => start))];

/** Guards on duty within a day. */
export const seatsOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => {
    const cycle = presetCycle(presetOf(entry), { from: '2026-01-05', headcount: entry.guards });
    return sum + startsOf(cycle).length * entry.guards;
  }, 0);

/** Weeks until the contracts change that are going to. */
const CHANGE_IN_WEEKS = 4;

interface Handover {
  /** When the day shift begins, HH:MM. */
  day: string;
  night: string;
}

/** A quarter of the sites changes shifts an hour later. */
const handoverOf = (siteNumber: number): Handover =>
  siteNumber % 4 === 1 ? { day: '07:00', night: '19:00' } : { day: '06:00', night: '18:00' };

function startOf(preset: Preset, { day, night }: Handover): string {
  if (preset === 'weekdays') return '08:00';
  return preset === 'nights' ? night : day;
}

/** @param siteNumber from 0 */
export function makePosts(
  site: Site,
  siteNumber: number,
  entries: readonly Entry[],
  calendar: Calendar,
): Post[] {
  const { since } = site.client;
  return entries.map((entry, index): Post => {
    const preset = presetOf(entry);
    const number = siteNumber * 10 + index;
    const requirement = (version: number, from: number, to: number, headcount: number) => ({
      id: idOf('requirement', number * 2 + version),
      preset,
      cycle: presetCycle(preset, {
        from: calendar.date(from),
        headcount,
        start: startOf(preset, handoverOf(siteNumber)),
      }),
      from,
      to,
    });
    const later = calendar.monday(CHANGE_IN_WEEKS);
    const requirements =
      entry.guardsLater === undefined
        ? [requirement(0, since, Infinity, entry.guards)]
        : [
            requirement(0, since, later - 1, entry.guards),
            requirement(1, later, Infinity, entry.guardsLater),
          ];
    return {
      id: idOf('post', number),
      site,
      name: entry.name,
      guards: entry.guards,
      course: entry.course,
      needsInduction: entry.induction ?? false,
      gender: entry.gender,
      genderReason: entry.genderReason,
      requirements,
      lines: requirements
        .flatMap(({ cycle }) => startsOf(cycle))
        .filter((start, i, all) => all.indexOf(start) === i),
    };
  });
}
