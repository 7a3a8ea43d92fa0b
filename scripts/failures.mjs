// What the end of a run prints for each failed test.
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { logOf } from './server-log.mjs';
import { ROOT } from './setup.mjs';

/** Playwright's times of a test and the server's clock differ that much on a busy machine. */
const SLACK_MS = 1_000;

const plain = (text) => stripVTControlCharacters(text ?? '');
const fromRoot = (file) => path.relative(ROOT, file);

const isOfStack = (line) => /^\s+at /.test(line);

/** The first lines of a failure message, enough to identify it, without the stack. */
const opening = (text) =>
  plain(text)
    .trim()
    .split('\n')
    .filter((line) => !isOfStack(line))
    .slice(0, 8);

/** The line of the test that failed, which the runners mark with ">". */
const stepIn = (snippet) =>
  plain(snippet)
    .split('\n')
    .find((line) => line.startsWith('>'))
    ?.replace(/^>\s*\d+ \|\s*/, '');

const inFile = ({ file, line, column }) => `${fromRoot(file)}:${line}:${column}`;

/** @param {(string | undefined | false)[]} lines */
const indented = (title, lines) => [title, ...lines.filter(Boolean)].join('\n    ');

function withLog(lines) {
  return lines.length === 0
    ? []
    : ['Server log of that time:', ...lines.map((line) => `  ${line}`)];
}

/** Of a file that failed before its first test. */
export const fileFailure = (file) => indented(fromRoot(file.name), opening(file.message));

/** The line of a test's own file in a stack trace. */
function placeIn(stack, file) {
  const line = plain(stack)
    .split('\n')
    .find((entry) => entry.includes(`${file}:`));
  return line && `At ${fromRoot(line.slice(line.indexOf(file)).replace(/\)$/, ''))}`;
}

/** @param file, test of Vitest's JSON report */
export function vitestFailure(file, test) {
  const message = test.failureMessages?.[0];
  return indented(`${fromRoot(file.name)} › ${test.fullName}`, [
    ...opening(message),
    placeIn(message, file.name),
    ...withLog(test.meta?.serverLog ?? []),
  ]);
}

/** Of an error that belongs to no test, as in scripts/vitest-report.mjs. */
export function unhandledFailure({ type, message, stack, during, file }) {
  return indented(`${file ? fromRoot(file) : 'No test file'} › ${type}`, [
    ...opening(message),
    during && `While "${during}" ran, or just after it`,
    ...plain(stack)
      .split('\n')
      .filter(isOfStack)
      .slice(0, 6)
      .map((line) => line.trim()),
  ]);
}

/** The innermost named step that failed. */
function failedStep(steps = []) {
  const step = steps.find(({ error }) => error);
  return step && [step.title, failedStep(step.steps)].filter(Boolean).join(' › ');
}

/**
 * @param spec of Playwright's JSON report @param {string | undefined} folder of `spec.file`
 * @param {{ log: string }[]} servers of the workers
 */
export function playwrightFailure({ file, title, tests }, folder, servers) {
  const result = tests.flatMap(({ results }) => results).find(({ status }) => status !== 'passed');
  if (result === undefined) return indented(`${file} › ${title}`, ['It did not run.']);
  const { error, errorLocation: at, startTime, duration, parallelIndex, attachments } = result;
  const began = Date.parse(startTime);
  // Some are in the report itself.
  const pictures = attachments.filter(
    (attached) => attached.contentType?.startsWith('image/') && attached.path !== undefined,
  );
  const server = servers[parallelIndex];
  const step = [failedStep(result.steps), stepIn(error?.snippet)].filter(Boolean).join(' › ');
  return indented(`${fromRoot(path.join(folder ?? '', file))} › ${title}`, [
    ...opening(error?.message ?? `It ended as ${result.status}.`),
    step && `Step: ${step}`,
    at && `At ${inFile(at)}`,
    ...pictures.map((picture) => `Picture: ${fromRoot(picture.path)}`),
    ...withLog(server ? logOf(server.log, began - SLACK_MS, began + duration + SLACK_MS) : []),
  ]);
}
