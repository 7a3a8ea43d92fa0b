// What is to be undone when the tests of a file have ended, last things first.
// Vitest takes hooks only while it reads a file: one that is registered in `beforeAll` or in a test is silently never run.
const tasks: (() => Promise<unknown>)[] = [];

export function cleanUp(task: () => Promise<unknown>): void {
  tasks.push(task);
}

/** Called by the hook that every file has. */
export async function cleanUpNow(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task();
}
