// The checks that need no running server: types, lint, boundaries between folders, unused code, generated types.
import { run, say } from './setup.mjs';

const bin = (file) => `node_modules/${file}`;

const CHECKS = [
  // The native compiler is three times faster; dependency-cruiser still needs TypeScript 6.
  ['Types', [bin('typescript-native/bin/tsc'), '--noEmit', '-p', '.']],
  ['Lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  [
    'Boundaries between folders',
    [
      bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      'dependency-cruiser.config.mjs',
      'web',
      'server',
      'backend',
      'shared',
      'tests',
      'scripts',
      'bench',
    ],
  ],
  ['Unused files, exports and packages', [bin('knip/bin/knip.js')]],
  ['Generated types are current', ['--import', 'tsx', 'scripts/gen-types.ts', '--check']],
];

/** Two in parallel: the type check alone takes longer than all the others together. */
const LANES = [CHECKS.slice(0, 1), CHECKS.slice(1)];

/** @returns {Promise<string[]>} the names of failed checks */
async function runLane(checks) {
  const failures = [];
  for (const [label, args] of checks) {
    const started = Date.now();
    const problem = await run(process.execPath, args).catch((error) => error);
    say(`${label}: ${problem ? 'failed' : `${((Date.now() - started) / 1000).toFixed(1)} s`}`);
    if (problem === undefined) continue;
    failures.push(label);
    console.error(problem.message);
  }
  return failures;
}

/** @returns {Promise<{ passed: number, failed: number, failures: string[] }>} each check counts as one test */
export async function runChecks() {
  const failures = (await Promise.all(LANES.map(runLane))).flat();
  return { passed: CHECKS.length - failures.length, failed: failures.length, failures };
}
