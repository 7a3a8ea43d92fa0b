// A setup file: a test that fails shows what servers of its process did at that time. Registered again for each file.
import { beforeEach } from 'vitest';
import { forgetLines, linesSoFar } from './recent-log.ts';

declare module 'vitest' {
  export interface TaskMeta {
    /** For the end of a run (scripts/failures.mjs). */
    serverLog?: string[];
  }
}

beforeEach(({ task, onTestFailed }) => {
  forgetLines();
  onTestFailed(() => {
    task.meta.serverLog = linesSoFar();
  });
});
