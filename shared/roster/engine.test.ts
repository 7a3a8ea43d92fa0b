import { describe, expect, it } from 'vitest';
import {
  assigned,
  company,
  DEFAULT_RULES,
  guard,
  post,
  shiftAt,
} from '#tests/support/roster-company.ts';
import { fillRoster } from './engine.ts';
import type { RosterInput } from './input.ts';

const STEPS = 20_000;

const fill = (input: RosterInput, more: Partial<Parameters<typeof fillRoster>[1]> = {}) =>
  fillRoster(input, { mode: 'fill', seed: 1, used: (steps) => steps / STEPS, ...more });

const WEEK = ['23', '24', '25', '26', '27', '28', '29'];
const gate = { post_id: 'gate' };
const days = WEEK.map((date) => shiftAt(`${date} day`, `2026-11-${date}T06:00Z`, 12, gate));
const nights = WEEK.map((date) => shiftAt(`${date} night`, `2026-11-${date}T18:00Z`, 12, gate));
const week = { posts: [post()], shifts: [...days, ...nights] };

describe('filling a week', () => {
  it('fills every seat of a post day and night with four guards', async () => {
    const people = ['ada', 'ben', 'cleo', 'dan'].map((id) => guard(id));
    const { assign, unassign, unfilled } = await fill(company({ ...week, people }));
    expect(assign).toHaveLength(14);
    expect(unassign).toEqual([]);
    expect(unfilled).toEqual([]);
  });

  it('says why seats stay empty', async () => {
    const people = [
      guard('ada'),
      guard('ben', { leave: [['2026-11-20', '2026-12-01']] }),
      guard('cleo', { gender: 'male' }),
    ];
    const input = company({
      people,
      posts: [post({ courses: ['aid'] }), post({ id: 'vault', gender: 'female' })],
      courses: [{ id: 'aid', title: 'First aid' }],
      shifts: [
        shiftAt('aid', '2026-11-23T06:00Z', 12, { post_id: 'gate', headcount: 2 }),
        shiftAt('vault', '2026-11-23T06:00Z', 12, { post_id: 'vault' }),
      ],
    });
    const aid = { aid: 40_000_000 };
    const trained = input.people.map((person) =>
      person.id === 'cleo' ? person : { ...person, certificates: aid },
    );
    expect((await fill({ ...input, people: trained })).unfilled).toEqual([
      {
        shift_id: 'aid',
        seats: 1,
        reason: 'No guard with First aid is free: 1 on leave',
      },
      { shift_id: 'vault', seats: 1, reason: 'There is no female guard' },
    ]);
  });

  it('names a site that nobody can reach', async () => {
    const [near] = company({}).sites;
    if (near === undefined) throw new Error('The company has no site.');
    const lagos = { ...near, id: 'lagos', zone: 'Africa/Lagos', latitude: 6.45, longitude: 3.39 };
    const input = company({
      sites: [near, lagos],
      posts: [post(), post({ id: 'depot', site_id: 'lagos' })],
      shifts: [
        shiftAt('here', '2026-11-23T06:00Z', 12, { post_id: 'gate' }),
        shiftAt('lagos', '2026-11-23T06:00Z', 12, { post_id: 'depot', site_id: 'lagos' }),
      ],
      people: [guard('ada', { home: [6.3, -10.8] }), guard('ben', { home_region: 'Bong' })],
    });
    const { assign, unfilled, gap } = await fill(input);
    expect(assign.map(({ shift_id }) => shift_id)).toEqual(['here']);
    const far = 'Nobody lives near enough: the nearest guard is 1569 km away';
    expect(unfilled).toEqual([{ shift_id: 'lagos', seats: 1, reason: far }]);
    expect(gap).toBeLessThan(0.1);
    const people = [guard('ben', { home_region: 'Bong' })];
    expect((await fill({ ...input, people })).unfilled[0]?.reason).toBe(
      'Nobody lives near enough: no guard has a home in the region',
    );
  });

  it('keeps who is there, and what the draft has taken away', async () => {
    const input = company({
      ...week,
      people: ['ada', 'ben', 'cleo', 'dan'].map((id) => guard(id)),
      assignments: [assigned('23 day', 'ada'), assigned('24 day', 'ada')],
      changes: [{ shift_id: '24 day', user_id: 'ada', change: 'unassign' }],
    });
    const { assign, unassign } = await fill(input);
    expect(unassign).toEqual([]);
    expect(assign).toHaveLength(13);
    expect(assign.map(({ shift_id }) => shift_id)).not.toContain('23 day');
  });

  it('gives the same roster for the same seed and steps', async () => {
    const people = ['ada', 'ben', 'cleo', 'dan', 'eve'].map((id) => guard(id));
    const input = company({ ...week, people });
    expect(await fill(input)).toEqual(await fill(input));
  });
});

describe('filling again', () => {
  const people = [guard('ada', { known: { site: 9 } }), guard('ben')];
  const input = company({
    posts: [post()],
    shifts: days.slice(0, 2),
    people,
    rules: { ...DEFAULT_RULES, weight_change: 0, weight_fair_hours: 0 },
    assignments: [assigned('23 day', 'ben'), assigned('24 day', 'ben')],
  });
  const knowing = (shift: string) => ({
    assign: [{ shift_id: shift, user_id: 'ada' }],
    unassign: [{ shift_id: shift, user_id: 'ben' }],
  });

  it('changes only the shifts in scope', async () => {
    expect(await fill(input, { mode: 'refill', shiftIds: ['24 day'] })).toMatchObject(
      knowing('24 day'),
    );
  });

  it('keeps pins', async () => {
    const pins = [{ shift_id: '23 day', user_id: 'ben' }];
    expect(await fill({ ...input, pins }, { mode: 'refill' })).toMatchObject(knowing('24 day'));
  });

  it.each(['fill', 'repair'] as const)('%s: the seat of an absent guard is open', async (mode) => {
    const away: RosterInput = {
      ...input,
      people: [guard('ada'), guard('ben', { leave: [['2026-11-23', '2026-11-23']] })],
      assignments: [{ ...assigned('23 day', 'ben'), absence: 'leave' }, assigned('24 day', 'ben')],
    };
    expect(await fill(away, { mode })).toMatchObject({
      assign: [{ shift_id: '23 day', user_id: 'ada' }],
      unassign: [],
      unfilled: [],
    });
  });

  it('keeps guards whom a planner has put there against a rule', async () => {
    const [monday] = input.assignments;
    const overridden: RosterInput = {
      ...input,
      assignments: input.assignments.filter((row) => row !== monday),
      changes: [
        { shift_id: '23 day', user_id: 'ben', change: 'assign', override_reason: 'Joe is ill' },
      ],
    };
    expect(await fill(overridden, { mode: 'refill' })).toMatchObject(knowing('24 day'));
  });

  it('keeps guards who have clocked in, and shifts that have started', async () => {
    const clocked = input.assignments.map((row) => ({
      ...row,
      clocked: row.shift_id === '23 day',
    }));
    expect(await fill({ ...input, assignments: clocked }, { mode: 'refill' })).toMatchObject(
      knowing('24 day'),
    );
    expect(
      await fill(input, { mode: 'refill', now: Date.parse('2026-11-23T06:01Z') / 60_000 }),
    ).toMatchObject(knowing('24 day'));
  });
});

describe('repair', () => {
  it('replaces who falls ill, and moves nobody without need', async () => {
    const people = ['ada', 'ben', 'cleo', 'dan', 'eve'].map((id) => guard(id));
    const filled = await fill(company({ ...week, people }));
    const published = company({
      ...week,
      people: people.map((person) =>
        person.id === 'ada' ? guard('ada', { leave: [['2026-11-23', '2026-11-29']] }) : person,
      ),
      assignments: filled.assign.map(({ shift_id, user_id }) => assigned(shift_id, user_id)),
    });
    const result = await fill(published, { mode: 'repair' });
    const ofAda = filled.assign.filter(({ user_id }) => user_id === 'ada').length;
    expect(result.unfilled).toEqual([]);
    expect(result.unassign.filter(({ user_id }) => user_id === 'ada')).toHaveLength(ofAda);
    expect(result.unassign.length).toBeLessThanOrEqual(ofAda + 2);
  });
});
