// The checks that need no running server: types, lint, boundaries between folders, unused code, generated types.
import { run, step } from './setup.mjs';

const bin = (file) => `node_modules/${file}`;

const CHECKS = [
  ['Types', [bin('typescript/bin/tsc'), '--noEmit', '-p', '.']],
  ['Lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  [
    'Boundaries between folders',
    [
      bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      'dependency-cruiser.config.mjs',
      'web',
      'server',
      'shared',
      'tests',
      'scripts',
      'bench',
    ],
  ],
  ['Unused files, exports and packages', [bin('knip/bin/knip.js')]],
  ['Generated types are current', ['--import', 'tsx', 'scripts/gen-types.ts', '--check']],
];

/** @returns {Promise<{ passed: number, failed: number }>} one for each check */
export async function runChecks() {
  let failed = 0;
  for (const [label, args] of CHECKS) {
    try {
      await step(label, () => run(process.execPath, args));
    } catch (error) {
      failed += 1;
      console.error(error.message);
    }
  }
  return { passed: CHECKS.length - failed, failed };
}
