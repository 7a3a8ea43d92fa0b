// Cleanup tasks of a test file, run in reverse order.
// Vitest ignores hooks that are registered in `beforeAll` or in a test.
const tasks: (() => Promise<unknown>)[] = [];

export function cleanUp(task: () => Promise<unknown>): void {
  tasks.push(task);
}

/** Called by the afterAll hook of every file. */
export async function cleanUpNow(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task();
}
