import { expect, test } from 'vitest';
import { createDisplay } from './display.mjs';

function recorded(isTTY: boolean, env: Record<string, string> = {}) {
  let text = '';
  const out = { isTTY, write: (part: string) => (text += part) };
  return { display: createDisplay({ out, env: { LANG: 'C.UTF-8', ...env } }), text: () => text };
}

const PLAN = ['Installing packages', 'Building the web app', 'Loading the demo company'];

test('a log gets one plain line for each step, and the sum', async () => {
  const { display, text } = recorded(false);
  display.plan(PLAN);
  await display.step('Installing packages', async () => {});
  display.progress('Loading the demo company');
  display.progress('Loading the demo company', 3, 10);
  expect(display.finish()).toMatch(/^ after \d+ s$/);
  expect(text().replace(/\d\.\d s/g, '0.1 s')).toBe(
    '  Step 1 of 3  Installing packages ... 0.1 s\n  Step 3 of 3  Loading the demo company ... 0.1 s\n',
  );
});

test('CI is no terminal, whatever it says', async () => {
  const { display, text } = recorded(true, { CI: 'true' });
  await display.step('Installing packages', async () => {});
  expect(text()).not.toContain('\r');
});

test('a terminal shows a bar where there are counts, in at most 80 columns', async () => {
  const { display, text } = recorded(true);
  display.plan(PLAN);
  await display.step('Installing packages', async (count) => count(1, 2));
  expect(text()).toContain('█░');
  expect(text()).toContain(' 50 %');
  const widths = text()
    .split(/[\r\n]/)
    .map((line) => line.replace('\x1b[K', '').length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(80);
});

test('a failed step is named as one, and a start without steps has no sum', async () => {
  const { display, text } = recorded(false);
  const failing = display.step('Building', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(text()).toBe('  Building ... failed\n');
  expect(recorded(false).display.finish()).toBe('');
});

test('other messages do not break the line of a step', () => {
  const { display, text } = recorded(false);
  display.plan(PLAN);
  display.progress('Building the web app');
  display.progress('PostgreSQL stopped unexpectedly');
  display.finish();
  expect(text()).toMatch(/web app \.\.\.\n {2}PostgreSQL stopped unexpectedly…\n {2}Step 2 of 3/);
});
