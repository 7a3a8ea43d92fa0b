// Rosters: a week of a generated company, filled by the product's engine; or the public benchmark's instances, given by
// path and solved by a solver that is not in the product.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ROOT, SetupError } from '../scripts/setup.mjs';
import { rosterBoard } from './roster-board.mjs';

/** This section measures pure functions, so it does not need the built product. */
export const needsBuild = false;

/** Bundles and imports TypeScript. tsx would slow it down: it keeps the names of functions at run time. */
async function importBundled(entry) {
  const folder = mkdtempSync(path.join(ROOT, 'node_modules', '.roster-bench-'));
  const outfile = path.join(folder, 'bundle.mjs');
  try {
    await build({
      entryPoints: [path.join(ROOT, entry)],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      target: 'node20',
      format: 'esm',
      logLevel: 'warning',
      alias: { '#shared': path.join(ROOT, 'shared') },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function positive(text, name) {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new SetupError(`--${name} must be positive.`);
  return value;
}

function readOptions(args) {
  try {
    return parseArgs({
      args,
      options: {
        instances: { type: 'string', multiple: true },
        seconds: { type: 'string', default: '60' },
        seeds: { type: 'string', default: '5' },
        /** Seconds for a week of the generated company. */
        company: { type: 'string', default: '18' },
        out: { type: 'string', default: 'data/roster-benchmark' },
        cpu: { type: 'boolean', default: false },
        /** Compares the engine with the benchmark's solver on the company's weeks. */
        compare: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new SetupError(error.message);
  }
}

/** @param {string[]} args options of the command line */
export default async function roster(args = []) {
  const { instances, seconds, seeds, out, cpu, company, compare } = readOptions(args);
  if (instances === undefined) {
    console.log(
      'Give --instances <folder or file> to run the public benchmark, whose solver is not in the product.\n',
    );
    const { compareSolvers, measureCompany } = await importBundled('bench/roster-company/run.ts');
    const { table } = await import('../backend/bench/support/report.mjs');
    const { head, rows } = (compare ? compareSolvers : measureCompany)({
      seconds: positive(company, 'company'),
      seeds: Math.ceil(positive(seeds, 'seeds')),
      isCpuTime: cpu,
    });
    table(head, rows);
    if (!compare) await rosterBoard();
    return;
  }
  const { runBenchmark } = await importBundled('bench/roster-benchmark/run.ts');
  console.log(
    `A solver that is not in the product, ${seconds} s of ${cpu ? 'processor' : 'wall-clock'} time for each run.\n`,
  );
  runBenchmark({
    instances: instances.map((target) => path.resolve(target)),
    seconds: positive(seconds, 'seconds'),
    seeds: Math.ceil(positive(seeds, 'seeds')),
    out: path.resolve(out),
    isCpuTime: cpu,
  });
}
