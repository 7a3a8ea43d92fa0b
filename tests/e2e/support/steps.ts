// Counts what a person does in a page, from the events that reach it: calls of a test that do nothing count nothing.
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Runs in the page. A press into a text field is part of typing there; ways to move, like Tab, count as little as a pointer's. */
function listen() {
  const step = (): void => void Reflect.get(globalThis, 'aStepIsDone')();
  const typed = (target: EventTarget | null): target is HTMLElement =>
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'file', 'button', 'submit', 'reset'].includes(target.type));
  const moves = /^(Tab|Shift|Control|Alt|Meta|Arrow\w+|Home|End|Page\w+)$/;
  let field: EventTarget | null = null;
  const pressed = () => {
    field = null;
    step();
  };
  addEventListener('pointerdown', ({ target }) => typed(target) || pressed(), true);
  addEventListener(
    'keydown',
    ({ key, target, ctrlKey, metaKey }) => {
      if (moves.test(key)) return;
      if (!typed(target) || key === 'Enter' || key === 'Escape' || ctrlKey || metaKey) pressed();
    },
    true,
  );
  // What is typed is one step for each field, however long it is.
  addEventListener(
    'input',
    ({ target }) => {
      if (!typed(target) || target === field) return;
      field = target;
      step();
    },
    true,
  );
  addEventListener(
    'change',
    ({ target }) => {
      if (target instanceof HTMLSelectElement) pressed();
      else if (target instanceof HTMLInputElement && target.type === 'file') pressed();
    },
    true,
  );
}

/** Call it before the first address is opened. @returns expects that the job took at most so many steps since then */
export async function countSteps(page: Page): Promise<(most: number) => Promise<void>> {
  let steps = 0;
  await page.exposeFunction('aStepIsDone', () => {
    steps += 1;
  });
  await page.addInitScript(listen);
  return async (most) => {
    // Events of the page come in order: after this answer all earlier ones are counted.
    await page.evaluate(() => undefined);
    expect(steps, 'presses, fields and choices').toBeLessThanOrEqual(most);
    expect(steps, 'a job that takes no step was not done').toBeGreaterThan(0);
  };
}
