import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that run long. Vitest begins with large files, and a fresh clone doesn't know how long they took. */
const LONGEST = [
  'backend/tests/long/auth-limits.test.ts',
  'tests/long/first-change.test.ts',
  'tests/long/schema.test.ts',
  'tests/policies/matrix.test.ts',
  'tests/rules/billing/billed-timesheets.test.ts',
  'tests/rules/platform/stored-sums.test.ts',
  'tests/rules/shifts/staffing-counts.test.ts',
  'tests/start/backup.test.ts',
];

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONGEST.some((file) => moduleId.endsWith(`/${file}`));

/** So that the end of a project does not wait for one file. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((specification) => specification.project === project);
      return [...own.filter(isLong), ...own.filter((specification) => !isLong(specification))];
    });
  }
}
