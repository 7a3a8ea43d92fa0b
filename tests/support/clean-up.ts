// What is to be undone when the tests of a file have ended, last things first.
// Vitest takes hooks only while it reads a file: one that is registered in `beforeAll` or in a test is silently never run.
import { afterAll } from 'vitest';

const tasks: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const task of tasks.splice(0).reverse()) await task();
});

export function cleanUp(task: () => Promise<unknown>): void {
  tasks.push(task);
}
