// Runs checks, Vitest and Playwright, and reads the totals from their reports.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileFailure, playwrightFailure, unhandledFailure, vitestFailure } from './failures.mjs';
import { ROOT, run, SetupError, say } from './setup.mjs';

function start(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(1));
  });
}

/**
 * A runner that crashed, or failed without naming a test, counts as one failure.
 * @returns {Promise<{ passed: number, failed: number, failures: string[] }>} `failures` are printed again at the end
 */
async function counted(args, env, report, read) {
  const code = await start(args, env);
  const totals = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 1, failures: [`${args[0]} wrote no report.`] };
  if (code === 0 || totals.failed > 0) return totals;
  const failures = [`${args[0]} ended with ${code}, but no test failed.`];
  return { ...totals, failed: 1, failures };
}

async function withReport(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-report-'));
  try {
    return await work(path.join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitestTotals({ numPassedTests, numFailedTests, testResults, unhandledErrors }) {
  const broken = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const tests = testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => ({ file, test })),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length + unhandledErrors.length,
    failures: [
      ...broken.map(fileFailure),
      ...tests.map(({ file, test }) => vitestFailure(file, test)),
      ...unhandledErrors.map(unhandledFailure),
    ],
  };
}

/**
 * @param {{ projects?: string[], files?: string[], exceptFiles?: string[], title?: string }} chosen names in vitest.config.ts, all
 * unless given; the test files of them to run, or not to run; regular expression for the titles
 */
export function runVitest({ projects = [], files = [], exceptFiles = [], title }) {
  return withReport((report) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...files];
    args.push(
      '--reporter=default',
      '--reporter=./scripts/vitest-report.mjs',
      `--outputFile.json=${report}`,
    );
    args.push(...projects.flatMap((name) => ['--project', name]));
    args.push(...exceptFiles.flatMap((file) => ['--exclude', file]));
    if (title) args.push('--testNamePattern', title);
    return counted(args, {}, report, vitestTotals);
  });
}

/** All specs of a suite, nested ones included. */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

function playwrightTotals({ stats, suites, config }, servers) {
  const broken = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    failures: broken.map((spec) => playwrightFailure(spec, config.rootDir, servers)),
  };
}

/**
 * @param {{ servers: { url: string, dataDir: string, log: string }[], chromium: string, projects: string[], tag?: string,
 * exceptTag?: string, files?: string[], title?: string }} options one running server per worker; path of the browser; names in
 * playwright.config.ts; a tag of the tests to run, or not to run; files to run, all unless given; regular expression for the titles
 */
export function runPlaywright({ servers, chromium, projects, tag, exceptTag, files = [], title }) {
  return withReport((report) =>
    counted(
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        ...files,
        '--reporter=list,json',
        ...projects.map((name) => `--project=${name}`),
        ...(tag ? [`--grep=${tag}`] : []),
        ...(title ? [`--grep=${title}`] : []),
        ...(exceptTag ? [`--grep-invert=${exceptTag}`] : []),
      ],
      {
        E2E_BASE_URL: servers.map(({ url }) => url).join(','),
        E2E_DATA_DIR: servers.map(({ dataDir }) => dataDir).join(','),
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      },
      report,
      (totals) => playwrightTotals(totals, servers),
    ),
  );
}

/** Vitest's projects with a database, without the long ones. */
export const DATABASE = ['policies', 'api', 'backend'];

/** Test files of them that `npm test` runs. */
export function everydayFiles() {
  const files = JSON.parse(readFileSync(path.join(ROOT, 'tests/everyday.json'), 'utf8'));
  const missing = files.filter((file) => !existsSync(path.join(ROOT, file)));
  if (missing.length > 0)
    throw new SetupError(`tests/everyday.json names files that don't exist: ${missing.join(', ')}`);
  return files;
}

/**
 * Prints each failure again, where it is easy to find, and the sums; a failure makes the exit code 1.
 * @param {{ passed: number, failed: number, failures: string[] }[]} parts
 * @param {{ failed?: string, sums?: string }} words before each failure, and before the sums
 */
export function printTotals(parts, { failed: word = 'Failed', sums = '' } = {}) {
  const passed = parts.reduce((sum, part) => sum + part.passed, 0);
  const failed = parts.reduce((sum, part) => sum + part.failed, 0);
  for (const failure of parts.flatMap(({ failures }) => failures))
    console.log(`\n${word}: ${failure}`);
  console.log(`\n${sums}${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

// The checks that need no running server: types, lint, boundaries between folders, unused code, generated types.

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
      'demo',
      'backend',
      'shared',
      'tests',
      'scripts',
      'bench',
    ],
  ],
  ['Unused files, exports and packages', [bin('knip/bin/knip.js')]],
  ['Generated types are current', ['--import', 'tsx', 'scripts/gen-types.ts', '--check']],
  ['Schemas and migrations agree', ['--import', 'tsx', 'scripts/schema.ts', 'check']],
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
