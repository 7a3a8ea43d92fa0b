import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkRoster } from './check-roster.ts';
import { parseInstance } from './parse-instance.ts';
import { BEST_KNOWN, EJECTION_CHAIN } from './published.ts';
import type { RosterProblem } from './search/problem.ts';
import { searchRoster } from './search/search-roster.ts';

interface Options {
  /** Instance files, or folders of files named `instance-N.txt`. */
  instances: readonly string[];
  seconds: number;
  seeds: number;
  /** Folder for solutions and scores. */
  out: string;
  /** Whether seconds are those of the processor, so that a busy machine does not shorten the search. */
  isCpuTime: boolean;
}

interface Run {
  seed: number;
  cost: number;
  feasible: boolean;
  /** Share above the best known cost. */
  gap: number | null;
  seconds: number;
}

export interface Score {
  instance: string;
  bestKnown: number | null;
  ejectionChain: number | null;
  runs: Run[];
  median: number;
  medianGap: number | null;
}

function filesOf(target: string): string[] {
  if (!statSync(target).isDirectory()) return [target];
  const numberOf = (file: string): number => Number(/\d+/.exec(file)?.[0]);
  return readdirSync(target)
    .filter((file) => /^instance-\d+\.txt$/.test(file))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((file) => path.join(target, file));
}

/** Milliseconds since the call. */
function stopwatch(isCpuTime: boolean): () => number {
  const cpu = process.cpuUsage();
  const began = performance.now();
  return () => {
    if (!isCpuTime) return performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1000;
  };
}

function solutionOf(problem: RosterProblem, roster: Int32Array): (string | null)[][] {
  const { days, kinds } = problem;
  return problem.people.map((_, person) =>
    Array.from(
      roster.subarray(person * days, (person + 1) * days),
      (kind) => kinds[kind - 1]?.id ?? null,
    ),
  );
}

/** @throws when the search and the independent checker disagree about a roster */
function solve(file: string, seed: number, options: Options): Run {
  const name = path.basename(file, '.txt');
  const elapsed = stopwatch(options.isCpuTime);
  const text = readFileSync(file, 'utf8');
  const problem = parseInstance(text);
  const budget = options.seconds * 1000;
  const { roster, cost, illegal } = searchRoster(problem, { seed, used: () => elapsed() / budget });
  const seconds = elapsed() / 1000;
  const solution = solutionOf(problem, roster);
  const verdict = checkRoster(text, solution);
  if (verdict.cost !== cost || verdict.violations.length > 0 !== illegal.length > 0)
    throw new Error(
      `${name}, seed ${seed}: the search says ${cost} with ${illegal.length} illegal rows, the checker ${verdict.cost} with ${verdict.violations.join('; ') || 'none'}.`,
    );
  writeFileSync(path.join(options.out, `${name}.seed-${seed}.json`), JSON.stringify(solution));
  const known = BEST_KNOWN[name];
  return {
    seed,
    cost,
    feasible: verdict.violations.length === 0,
    gap: known === undefined ? null : cost / known - 1,
    seconds: Math.round(seconds * 10) / 10,
  };
}

/** The middle value; of an even number of values the lower one of the two. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

const percent = (share: number | null): string =>
  share === null ? '-' : `${(share * 100).toFixed(2)} %`;

/** Solves each instance with each seed, one after another, and writes solutions and scores as it goes. */
export function runBenchmark(options: Options): Score[] {
  const files = options.instances.flatMap(filesOf);
  if (files.length === 0) throw new Error(`No instance-N.txt in ${options.instances.join(', ')}.`);
  mkdirSync(options.out, { recursive: true });
  const scores: Score[] = [];
  console.log(
    '| Instance | Best known | Ejection chain | Median | Gap | Feasible | Costs by seed |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const file of files) {
    const instance = path.basename(file, '.txt');
    const bestKnown = BEST_KNOWN[instance] ?? null;
    const ejectionChain = EJECTION_CHAIN[instance] ?? null;
    const runs = Array.from({ length: options.seeds }, (_, index) =>
      solve(file, index + 1, options),
    );
    const middle = median(runs.map(({ cost }) => cost));
    const medianGap = bestKnown === null ? null : middle / bestKnown - 1;
    scores.push({ instance, bestKnown, ejectionChain, runs, median: middle, medianGap });
    writeFileSync(path.join(options.out, 'scores.json'), JSON.stringify(scores, null, 2));
    const feasible = runs.filter((run) => run.feasible).length;
    const costs = runs.map(({ cost }) => cost).join(' ');
    console.log(
      `| ${instance} | ${bestKnown ?? '-'} | ${ejectionChain ?? '-'} | ${middle} | ${percent(medianGap)} | ${feasible} of ${runs.length} | ${costs} |`,
    );
  }
  const gaps = scores.flatMap(({ medianGap }) => medianGap ?? []);
  if (gaps.length > 0)
    console.log(`\nMean gap: ${percent(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length)}`);
  return scores;
}
