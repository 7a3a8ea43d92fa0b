// Measures the engine on a week of a generated company: legality by the independent checker, cost against the bound,
// times and memory; then a repair after a sick call, and the ranking of replacements.

import { effectiveRoster } from '#shared/roster/effective.ts';
import { fillRoster } from '#shared/roster/engine.ts';
import type { RosterInput, RosterPair } from '#shared/roster/input.ts';
import { rankGuards } from '#shared/roster/rank.ts';
import type { RosterResult } from '#shared/roster/roster-result.ts';
import { checkRoster } from '#tests/support/check-roster.ts';
import { assigned } from '#tests/support/roster-company.ts';
import { demoCompany } from './demo-company.ts';
import { solveWeek } from './solve-week.ts';

const RANKINGS = 100;
const REPAIR_SECONDS = 0.9;

interface CompanyOptions {
  seconds: number;
  /** Companies, one for each seed. */
  seeds: number;
  /** Count the processor's time instead of the clock's: for machines that others use too. */
  isCpuTime: boolean;
}

/** @returns seconds since some moment */
const clockOf = (isCpuTime: boolean) => () => {
  const { user, system } = process.cpuUsage();
  return isCpuTime ? (user + system) / 1e6 : performance.now() / 1000;
};

const countBroken = (input: RosterInput, roster: readonly RosterPair[]) =>
  checkRoster(input, roster, () => true).length;

/** The same week, published, with one of its guards on leave from now on. */
function withSickCall(input: RosterInput, { assign }: RosterResult) {
  const sick = assign[0]?.user_id ?? '';
  return {
    sick,
    input: {
      ...input,
      assignments: assign.map(({ shift_id, user_id }) => assigned(shift_id, user_id)),
      people: input.people.map((person) =>
        person.id === sick
          ? { ...person, leave: [[input.from, input.to] satisfies [string, string]] }
          : person,
      ),
    },
  };
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function measureSeed(seed: number, { seconds, isCpuTime }: CompanyOptions): string[] {
  const clock = clockOf(isCpuTime);
  const input = demoCompany(seed);
  const seats = input.shifts.reduce((sum, { headcount }) => sum + headcount, 0);

  const started = clock();
  let first = 0;
  const result = fillRoster(input, {
    mode: 'fill',
    seed,
    used: () => (clock() - started) / seconds,
    isReportDue: () => false,
    onProgress: () => {
      first ||= clock() - started;
    },
  });
  const whole = clock() - started;
  const broken = countBroken(input, result.assign);

  const { sick, input: ill } = withSickCall(input, result);
  const repairStarted = clock();
  const repair = fillRoster(ill, {
    mode: 'repair',
    seed,
    used: () => (clock() - repairStarted) / REPAIR_SECONDS,
  });
  const repairTime = clock() - repairStarted;
  const others = repair.unassign.filter(({ user_id }) => user_id !== sick).length;

  const effective = effectiveRoster(input);
  for (const { shift_id, user_id } of result.assign) effective.assign(shift_id, user_id);
  const rankings = input.shifts.slice(0, RANKINGS).map(({ id }) => {
    const rankingStarted = clock();
    rankGuards(input, effective, id);
    return (clock() - rankingStarted) * 1000;
  });

  const percent = (share: number | null) =>
    share === null ? '-' : `${(share * 100).toFixed(2)} %`;
  return [
    String(seed),
    String(broken),
    `${result.assign.length} of ${seats}`,
    result.score.total.toFixed(0),
    result.bound?.toFixed(0) ?? '-',
    percent(result.gap),
    `${first.toFixed(2)} s`,
    `${whole.toFixed(1)} s`,
    `${repairTime.toFixed(2)} s, ${repair.unfilled.length} open, ${others} others moved`,
    `${percentile(rankings, 0.95).toFixed(0)} ms`,
    `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
  ];
}

export function measureCompany(options: CompanyOptions): { head: string[]; rows: string[][] } {
  const rows = Array.from({ length: options.seeds }, (_, index) => measureSeed(index + 1, options));
  const head = [
    'seed',
    'broken rules',
    'filled',
    'cost',
    'bound',
    'gap',
    'first roster',
    'time',
    'repair',
    'ranking, 95th',
    'peak memory',
  ];
  return { head, rows };
}

/** The product's engine and the public benchmark's solver on the same weeks, scored by the product. */
export function compareSolvers({ seconds, seeds, isCpuTime }: CompanyOptions) {
  const clock = clockOf(isCpuTime);
  const rows = Array.from({ length: seeds }, (_, index) => {
    const seed = index + 1;
    const input = demoCompany(seed);
    const options = () => {
      const started = clock();
      return { seed, used: () => (clock() - started) / seconds };
    };
    const engine = fillRoster(input, { mode: 'fill', ...options() });
    const { result: solver, left } = solveWeek(input, options());
    const columns = [engine, solver].flatMap(({ score, assign }) => [
      score.total.toFixed(0),
      String(assign.length),
      String(countBroken(input, assign)),
    ]);
    return [String(seed), ...columns, String(left)];
  });
  const head = ['seed', 'engine', 'filled', 'broken', 'solver', 'filled', 'broken', 'left out'];
  return { head, rows };
}
