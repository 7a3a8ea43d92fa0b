import { formatCount } from '#shared/count.ts';
import type { BackupState, SystemReport } from '#shared/system-report.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { jobName, queueName } from './names.ts';

const QUEUE_LATE_S = 15 * 60;
const LOW_DISK_BYTES = 5e9;
const LOW_DISK_SHARE = 0.1;

export interface Problem {
  title: string;
  /** The meaning, and the remedy. */
  text: string;
}

const SET_UP =
  'Set BACKUP_DIR and BACKUP_PASSPHRASE on the server, so that it backs up every night.';

/** @returns undefined while backups are as they should be */
export function backupProblem({ isOverdue, lastAt, everyHours }: BackupState): Problem | undefined {
  if (!isOverdue) return undefined;
  const todo =
    everyHours === null
      ? SET_UP
      : 'Look at the last errors of the server, and at the disk or bucket of the backups.';
  return lastAt === null
    ? { title: 'There is no backup', text: `A broken disk would lose everything. ${todo}` }
    : {
        title: 'The last backup is too old',
        text: `It is from ${formatDateTime(lastAt)}. What came after would be lost with the disk. ${todo}`,
      };
}

/** Before a backup is due, its absence is still no state in which nothing needs attention. */
function firstBackupProblem({ isOverdue, lastAt, everyHours }: BackupState): Problem | undefined {
  if (isOverdue || lastAt !== null) return undefined;
  return {
    title: 'There is no backup yet',
    text:
      everyHours === null
        ? SET_UP
        : 'The first one is made on schedule. Until then a broken disk would lose everything.',
  };
}

/** @returns undefined while changes are saved, or are not to be saved */
export function changesProblem({ changes }: BackupState): Problem | undefined {
  if (!changes?.isLate) return undefined;
  return {
    title: 'Changes are not saved for a restore to a point in time',
    text: `${changes.until ? `The last ones are from ${formatDateTime(changes.until)}. ` : ''}Look at the disk of the backups.`,
  };
}

function jobProblems({ jobs, startedAt }: SystemReport): Problem[] {
  return jobs.flatMap(({ job, lastAt, nextAt, isLate, failedAt, code }): Problem[] => {
    const name = jobName(job);
    if (failedAt !== null && (lastAt === null || failedAt > lastAt)) {
      return [
        {
          title: `${name}: the last run failed`,
          text: `It is tried again. The code of the error is ${code || 'unknown'}; the last errors below may say more.`,
        },
      ];
    }
    if (!isLate) return [];
    return [
      {
        title: `${name}: not run in time`,
        text: `It was due ${formatDateTime(nextAt ?? startedAt)}.`,
      },
    ];
  });
}

function queueProblems({ queues }: SystemReport): Problem[] {
  return queues.flatMap(({ queue, waiting, overdueSeconds, failed }): Problem[] => {
    const name = queueName(queue);
    const problems: Problem[] = [];
    if (overdueSeconds > QUEUE_LATE_S) {
      problems.push({
        title: `${name} are late`,
        text: `${formatCount(waiting)} wait, the first for ${formatCount(Math.round(overdueSeconds / 60))} minutes. Check the mail server or the gateway.`,
      });
    }
    if (failed > 0) {
      problems.push({
        title: `${name} were given up`,
        text: `${formatCount(failed)} could not be sent after all attempts.`,
      });
    }
    return problems;
  });
}

function diskProblems({ storage }: SystemReport): Problem[] {
  return storage.disks
    .filter(({ free, total }) => free < Math.min(LOW_DISK_BYTES, total * LOW_DISK_SHARE))
    .map(({ name }) => ({
      title: `The disk of ${name.toLowerCase()} is almost full`,
      text: 'Free some space: without it, uploads stop first, and then everything else.',
    }));
}

function versionProblem({ nodes }: SystemReport): Problem | undefined {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  if (versions.length < 2) return undefined;
  return {
    title: 'Servers of different versions run',
    text: `Versions ${versions.join(' and ')}. Finish the upgrade: replace the older servers.`,
  };
}

/** For an operator, the worst first. */
export function findProblems(report: SystemReport): Problem[] {
  const { pools } = report;
  const waiting = pools.some(({ pool, waiting: count }) => pool === 'callers' && count > 0);
  return [
    ...diskProblems(report),
    backupProblem(report.backups),
    firstBackupProblem(report.backups),
    changesProblem(report.backups),
    ...jobProblems(report),
    ...queueProblems(report),
    waiting
      ? { title: 'Queries wait for a connection', text: 'If this stays, raise PGRST_DB_POOL.' }
      : undefined,
    versionProblem(report),
  ].filter((problem) => problem !== undefined);
}
