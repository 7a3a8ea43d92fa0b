import { describe, expect, it } from 'vitest';
import type { SystemReport } from '#shared/system-report.ts';
import { backupProblem, findProblems } from './problems.ts';

const NOW = '2026-11-23T12:00:00.000Z';
const EARLIER = '2026-11-23T11:59:00.000Z';

const healthy: SystemReport = {
  at: NOW,
  versions: { product: '1.0.0', node: '20.19.0', postgres: '18.1', schema: '20261129020000' },
  nodes: [{ id: 'a', version: '1.0.0', isThis: true, since: EARLIER }],
  startedAt: EARLIER,
  memoryBytes: 1,
  mail: 'server',
  services: [],
  pools: [{ pool: 'callers', size: 8, inUse: 1, waiting: 0 }],
  jobs: [
    {
      job: 'private.due_time',
      lastAt: EARLIER,
      nextAt: NOW,
      isLate: false,
      failures: 0,
      failedAt: null,
      code: '',
    },
  ],
  queues: [{ queue: 'notices_push', waiting: 3, overdueSeconds: 5, failed: 0 }],
  errors: [],
  storage: {
    databaseBytes: 1,
    tables: [],
    objects: { count: 0, bytes: 0 },
    disks: [{ name: 'Data', free: 50e9, total: 100e9 }],
  },
  backups: {
    lastAt: EARLIER,
    everyHours: 24,
    isOverdue: false,
    last: [],
    restorable: { from: EARLIER, until: EARLIER },
    changes: { until: EARLIER, isLate: false },
  },
};

const titles = (changes: Partial<SystemReport>) =>
  findProblems({ ...healthy, ...changes }).map(({ title }) => title);

describe('problems for the operator', () => {
  it('is nothing while all is well', () => expect(titles({})).toEqual([]));

  it('is a backup that was never made, also before it is due', () => {
    expect(titles({ backups: { ...healthy.backups, lastAt: null } })).toEqual([
      'There is no backup yet',
    ]);
    const overdue = { ...healthy.backups, lastAt: null, isOverdue: true };
    expect(titles({ backups: overdue })).toEqual(['There is no backup']);
  });

  it('is a full disk, before old backups', () => {
    const storage = { ...healthy.storage, disks: [{ name: 'Data', free: 1e9, total: 100e9 }] };
    const backups = { ...healthy.backups, isOverdue: true };
    expect(titles({ storage, backups })).toEqual([
      'The disk of data is almost full',
      'The last backup is too old',
    ]);
  });

  it('is a job that fails or stands still, and messages that do not leave', () => {
    const [job] = healthy.jobs;
    if (job === undefined) throw new Error('no job');
    const late = { ...job, nextAt: '2026-11-23T11:40:00.000Z', isLate: true };
    const failing = { ...job, job: 'private.due_tours', failedAt: NOW, code: '42P01' };
    const queues = [{ queue: 'notices_sms', waiting: 9, overdueSeconds: 3600, failed: 2 }];
    expect(titles({ jobs: [late, failing], queues })).toEqual([
      'Computed hours: not run in time',
      'Unfinished rounds: the last run failed',
      'Text messages are late',
      'Text messages were given up',
    ]);
  });

  it('is a second version, and changes that are no longer saved', () => {
    const nodes = [...healthy.nodes, { id: 'b', version: '0.9.0', isThis: false, since: EARLIER }];
    const backups = { ...healthy.backups, changes: { until: null, isLate: true } };
    expect(titles({ nodes, backups })).toEqual([
      'Changes are not saved for a restore to a point in time',
      'Servers of different versions run',
    ]);
  });
});

it('a missing backup says how to get one', () => {
  const state = { lastAt: null, everyHours: null, isOverdue: true, changes: null };
  expect(backupProblem(state)?.text).toMatch(/BACKUP_DIR/);
  expect(backupProblem({ ...state, isOverdue: false })).toBeUndefined();
});
