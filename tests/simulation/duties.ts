// A guard's shift as it turns out: on time or late, forgotten, sick or absent, and how the phone gets its events through.
import { Random } from '#demo/random.ts';
import { addDays, dayOf, MINUTE_MS } from './clock.ts';
import type { Guard, Site } from './company.ts';
import { accepted, Refused } from './door.ts';
import { sayAbsent, sayLate } from './duty-notices.ts';
import { uuidFrom } from './lists.ts';
import type { Pressed } from './phone.ts';
import { clock, clockingOf, type Way } from './ways.ts';
import type { World } from './world.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** People press then: what is due, is due at a full minute, and how long a press takes does not reach the next one. */
const BETWEEN_MINUTES_MS = 20_000;

/** Of a published roster. */
export interface Duty {
  id: string;
  shiftId: string;
  guard: Guard;
  site: Site;
  start: number;
  end: number;
}

type Turn = 'works' | 'no_show' | 'sick';
/** What becomes of the phone's events. */
type Delivery = 'prompt' | 'late' | 'doubled' | 'wrong_clock' | 'overtaken';

interface Course {
  turn: Turn;
  /** By which the guard clocks in and out, a muster only in. */
  way: Way | 'phone';
  delivery: Delivery;
  came: number;
  /** Undefined: the guard forgets to clock out. */
  went: number | undefined;
}

function courseOf(random: Random, duty: Duty): Course {
  const turn = random.among<Turn>({ works: 92, no_show: 3, sick: 5 });
  const delivery = random.among<Delivery>({
    prompt: 71,
    late: 11,
    doubled: 8,
    wrong_clock: 6,
    overtaken: 4,
  });
  const way = random.among<Way | 'phone'>({ phone: 82, device: 8, message: 6, muster: 4 });
  const isLate = random.chance(0.06);
  const came =
    duty.start + (isLate ? random.int(8, 45) : -random.int(1, 14)) * MINUTE_MS + BETWEEN_MINUTES_MS;
  const stays = random.among({ usual: 92, long: 4, early: 4 });
  const minutes = { usual: random.int(0, 9), long: random.int(20, 60), early: -random.int(20, 50) }[
    stays
  ];
  const went = duty.end + minutes * MINUTE_MS + BETWEEN_MINUTES_MS;
  return { turn, way, delivery, came, went: random.chance(0.03) ? undefined : went };
}

const keyOf = ({ guard, site, start }: Duty) => `${guard.number} ${site.name} ${start}`;
const labelOf = ({ guard, site }: Duty) => `${guard.name} at ${site.name}`;

/** Puts the shift on the agenda. @param comes of a replacement, who has promised to */
export function planDuty(world: World, duty: Duty, comes?: number): void {
  const random = new Random(`simulation/${world.size.seed}/duty/${keyOf(duty)}`);
  const course = courseOf(random, duty);
  if (comes !== undefined) {
    clockThrough(world, duty, { ...course, turn: 'works', came: comes }, random);
    return;
  }
  if (course.turn === 'sick') callSick(world, duty, random);
  else if (course.turn === 'works') {
    if (course.came > duty.start + 5 * MINUTE_MS && random.chance(0.5))
      sayLate(world, duty, course.came, random);
    clockThrough(world, duty, course, random);
  } else if (random.chance(0.6)) sayAbsent(world, duty, () => replace(world, duty), random);
  if (course.turn === 'no_show')
    world.agenda.add(
      duty.start + 25 * MINUTE_MS,
      `operations notes that ${labelOf(duty)} did not come`,
      async () => {
        const { operations } = world.company;
        const { error } = await operations.client.rpc('mark_no_show', {
          p_assignment_id: duty.id,
          p_reason: 'Does not answer the phone',
        });
        if (error) return `refused: ${error.message}`;
        return replace(world, duty);
      },
    );
}

/** After publishing: the guard reports sick by phone, HR approves, operations looks for somebody else. */
function callSick(world: World, duty: Duty, random: Random): void {
  const at = Math.max(world.agenda.now + MINUTE_MS, duty.start - random.int(60, 300) * MINUTE_MS);
  const id = uuidFrom(random);
  const days = random.int(0, 2);
  const first = new Date(duty.start).toISOString().slice(0, 10);
  const last = new Date(duty.start + days * 24 * HOUR_MS).toISOString().slice(0, 10);
  world.agenda.add(at, `${labelOf(duty)} calls in sick for ${days + 1} days`, async () => {
    for (let day = first; day <= last; day = addDays(day, 1))
      if (world.isAway(duty.guard.id, day)) return 'is away already';
    accepted(
      await duty.guard.client.from('leave_requests').upsert(
        {
          id,
          user_id: duty.guard.id,
          type: 'sick',
          start_date: first,
          end_date: last,
          reason: 'Malaria',
          status: 'pending',
        },
        { onConflict: 'id', ignoreDuplicates: true },
      ),
    );
    for (let day = 0; day <= days; day += 1)
      world.away.add(
        `${duty.guard.id} ${new Date(duty.start + day * 24 * HOUR_MS).toISOString().slice(0, 10)}`,
      );
    world.agenda.add(
      at + 12 * MINUTE_MS,
      `HR approves the sick leave of ${duty.guard.name}`,
      async () => {
        accepted(
          await world.company.hr.client.rpc('decide_leave', { p_id: id, p_status: 'approved' }),
        );
        return undefined;
      },
    );
    world.agenda.add(at + 25 * MINUTE_MS, `operations replaces ${labelOf(duty)}`, () =>
      replace(world, duty),
    );
    return undefined;
  });
}

/** The best of those who may come. */
export async function replace(world: World, duty: Omit<Duty, 'id' | 'guard'>): Promise<string> {
  const { operations, guards } = world.company;
  const { data: ranked } = accepted(
    await operations.client.rpc('rank_replacements', { shift_id: duty.shiftId }),
  );
  const free = (ranked ?? []).flatMap((row) => guards.find(({ id }) => id === row.user_id) ?? []);
  const day = new Date(duty.start).toISOString().slice(0, 10);
  // Ranks may be equal, and ids are made at random.
  const [guard] = free
    .filter(({ id }) => !world.isAway(id, day))
    .toSorted((a, b) => a.number - b.number);
  if (!guard) return 'nobody can come';
  try {
    const { data } = accepted(
      await operations.client.rpc('assign_replacement', {
        p_shift_id: duty.shiftId,
        p_user_id: guard.id,
        p_is_coming: true,
      }),
    );
    if (data === null) return 'no answer';
    const comes = Math.max(world.agenda.now + 40 * MINUTE_MS, duty.start - 5 * MINUTE_MS);
    planDuty(world, { ...duty, id: data.id, guard }, comes);
    return `${guard.name} comes`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `${guard.name} is refused: ${error.message}`;
  }
}

/** Longest time without a network. */
const OFFLINE_MINUTES = 22 * 60;
const OVERTAKEN_MINUTES = 20 * 60;
const WRONG_BY_MINUTES = 3 * 24 * 60;

/** The app offers no button for a shift that was swapped away after its guard had planned for it. */
async function isGivenAway({ id, guard }: Duty): Promise<boolean> {
  const { data } = accepted(
    await guard.client.from('assignments').select('status').eq('id', id).maybeSingle(),
  );
  return data === null || data.status === 'cancelled';
}

/** The app asks for a forgotten clock-out before it offers the next clock-in. */
async function answerForgotten({ agenda, sent }: World, guard: Guard): Promise<void> {
  const { data } = accepted(
    await guard.client
      .from('attendance')
      .select('id, clock_in_at, assignment:assignments!inner(id, shift:shifts!inner(end_time))')
      .eq('user_id', guard.id)
      .is('clock_out_at', null)
      .order('clock_in_at'),
  );
  for (const { id, clock_in_at, assignment } of data ?? []) {
    const left = Math.max(Date.parse(assignment.shift.end_time), Date.parse(clock_in_at));
    if (left > agenda.now) continue;
    const event = await guard.phone.press('out', Date.now(), assignment.id, null, id);
    event.enteredAt = left;
    sent.push({
      ...(await guard.phone.send(guard.client, event)),
      who: `${guard.name}, who had forgotten`,
    });
  }
}

/** Without the own phone: on the shared device, at a muster, or by text messages, which may come twice. */
function clockBy(world: World, duty: Duty, way: Way, { came, went }: Course, random: Random): void {
  const { guard, site } = duty;
  // Messages and musters are for who is expected already.
  const at = Math.max(came, world.agenda.now + MINUTE_MS);
  const isDoubled = random.chance(0.15);
  const plan = (kind: 'in' | 'out', by: Way, time: number): void => {
    const clocking = clockingOf(random, { kind, at: time, assignmentId: duty.id, guard, site });
    const what = `${labelOf(duty)} clocks ${kind} by ${by}`;
    const send = async (): Promise<string | undefined> => {
      if (kind === 'in' && world.isAway(guard.id, dayOf(duty.start))) return 'is away';
      if (kind === 'in' && (await isGivenAway(duty))) return 'has given the shift away';
      if (kind === 'in') await answerForgotten(world, guard);
      const refusal = await clock(world, by, clocking);
      world.sent.push({ event: { kind, at: time }, ...(refusal && { refusal }), who: what });
      return refusal;
    };
    world.agenda.add(time, what, send);
    if (isDoubled) world.agenda.add(time + 2 * MINUTE_MS, `${what} again`, send);
  };
  plan('in', way, at);
  if (went !== undefined)
    plan('out', way === 'muster' ? 'device' : way, Math.max(went, at + 5 * MINUTE_MS));
}

function clockThrough(world: World, duty: Duty, course: Course, random: Random): void {
  const { guard } = duty;
  const { delivery, came, went } = course;
  const offlineMinutes = random.int(20, OFFLINE_MINUTES);
  // A second phone stays at home, and sends while the first one has clocked in on a later shift.
  const offlineUntil =
    came + (offlineMinutes + (delivery === 'overtaken' ? OVERTAKEN_MINUTES : 0)) * MINUTE_MS;
  const aheadMs = random.int(-WRONG_BY_MINUTES, WRONG_BY_MINUTES) * MINUTE_MS;
  let opened: Pressed | undefined;
  const deliver = (event: Pressed, at: number): void => {
    const sentAt =
      delivery === 'late' || delivery === 'overtaken'
        ? Math.max(at, offlineUntil + (event.kind === 'out' ? 1000 : 0))
        : at;
    const send = async (): Promise<string | undefined> => {
      guard.phone.aheadMs = delivery === 'wrong_clock' ? aheadMs : 0;
      const outcome = await guard.phone.send(guard.client, event);
      world.sent.push({ ...outcome, who: labelOf(duty) });
      return outcome.refusal === undefined ? undefined : `refused: ${outcome.refusal}`;
    };
    const what = `the phone of ${guard.name} sends ${event.kind} of ${duty.site.name} (${delivery})`;
    world.agenda.add(sentAt, what, send);
    if (delivery === 'doubled') world.agenda.add(sentAt + 2 * MINUTE_MS, `${what} again`, send);
  };
  if (course.way !== 'phone') {
    clockBy(world, duty, course.way, course, random);
    return;
  }
  world.agenda.add(came, `${labelOf(duty)} presses Clock In`, async () => {
    if (world.isAway(guard.id, dayOf(duty.start))) return 'is away';
    if (await isGivenAway(duty)) return 'has given the shift away';
    guard.phone.aheadMs = delivery === 'wrong_clock' ? aheadMs : 0;
    await answerForgotten(world, guard);
    opened = await guard.phone.press('in', came, duty.id, duty.site.gps);
    deliver(opened, came + 1000);
    if (went === undefined) return 'and is going to forget Clock Out';
    world.agenda.add(
      Math.max(went, came + MINUTE_MS),
      `${labelOf(duty)} presses Clock Out`,
      async () => {
        guard.phone.aheadMs = delivery === 'wrong_clock' ? aheadMs : 0;
        const event = await guard.phone.press('out', went, duty.id, duty.site.gps, opened?.id);
        deliver(event, went + 1000);
        return undefined;
      },
    );
    return undefined;
  });
}
