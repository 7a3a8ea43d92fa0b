import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import type { SystemReport } from '#shared/system-report.ts';
import { MomentText } from '#web/components/text/date-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { formatBytes } from '#web/lib/format/bytes.ts';
import { formatDateTime, formatTime, toDay } from '#web/lib/format/dates.ts';
import { jobName, POOLS, queueName, serviceName } from './names.ts';

type Row = { key: string; cells: ReactNode[] };

function Table({ label, heads, rows }: { label: string; heads: string[]; rows: Row[] }) {
  return (
    <ScrollRegion label={label}>
      <table aria-label={label} className="w-full text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line text-muted">
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`py-2 font-semibold ${index === 0 ? 'text-left' : 'pl-2 text-right sm:pl-3'}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...others] }) => (
            <tr key={key} className="border-b border-line last:border-0">
              <th scope="row" className="min-w-16 py-2 text-left font-normal sm:min-w-32">
                {name}
              </th>
              {others.map((cell, index) => (
                <td
                  key={heads[index + 1]}
                  className="py-2 pl-2 text-right whitespace-nowrap sm:pl-3"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The time alone for a moment of the same day. */
function Moment({ at, now }: { at: string | null; now: string }) {
  if (at === null) return <span className="text-muted">Never</span>;
  const text = toDay(at) === toDay(now) ? formatTime(at) : formatDateTime(at);
  return <time dateTime={at}>{text}</time>;
}

const bad = (count: number): ReactNode =>
  count === 0 ? 0 : <strong className="text-danger">{formatCount(count)}</strong>;

export function Backups({ report }: { report: SystemReport }) {
  const { last, everyHours, changes, restorable } = report.backups;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        {everyHours === null
          ? 'No schedule: backups are made by command only.'
          : `Every ${everyHours === 1 ? 'hour' : `${everyHours} hours`}.`}{' '}
        {changes && restorable && (
          <>
            Any moment from <MomentText at={restorable.from} /> to{' '}
            <MomentText at={restorable.until} /> can be restored.
          </>
        )}
        {!changes && 'Changes between two backups are not saved.'}
      </p>
      {last.length === 0 ? (
        <p className="text-sm">No backup has been made yet.</p>
      ) : (
        <Table
          label="Last backups"
          heads={['Of', 'Size', 'Made', 'Verified']}
          rows={last.map(({ takenAt, bytes, isScheduled, verifiedAt }) => ({
            key: takenAt,
            cells: [
              <Moment key="at" at={takenAt} now={report.at} />,
              formatBytes(bytes),
              isScheduled ? 'On schedule' : 'By command',
              verifiedAt === null ? (
                <span key="verified" className="text-muted">
                  Not yet
                </span>
              ) : (
                <Moment key="verified" at={verifiedAt} now={report.at} />
              ),
            ],
          }))}
        />
      )}
    </div>
  );
}

export function Queues({ report }: { report: SystemReport }) {
  return (
    <Table
      label="Queues"
      heads={['Kind', 'Waiting', 'Oldest', 'Given up']}
      rows={report.queues.map(({ queue, waiting, overdueSeconds, failed }) => ({
        key: queue,
        cells: [
          queueName(queue),
          formatCount(waiting),
          overdueSeconds < 60
            ? 'On time'
            : `${formatCount(Math.round(overdueSeconds / 60))} min late`,
          bad(failed),
        ],
      }))}
    />
  );
}

export function Jobs({ report }: { report: SystemReport }) {
  return (
    <Table
      label="Jobs"
      heads={['Job', 'Last run', 'Next run', 'Failed here']}
      rows={report.jobs.map(({ job, lastAt, nextAt, isLate, failures, code }) => ({
        key: job,
        cells: [
          <span key="job" className="inline-flex flex-wrap items-center gap-2">
            {jobName(job)} {isLate && <Badge tone="red">Late</Badge>}
          </span>,
          <Moment key="last" at={lastAt} now={report.at} />,
          nextAt === null ? '' : <Moment key="next" at={nextAt} now={report.at} />,
          <span key="failed">
            {bad(failures)}
            {code && ` (${code})`}
          </span>,
        ],
      }))}
    />
  );
}

export function Services({ report }: { report: SystemReport }) {
  return (
    <div className="grid gap-6">
      <Table
        label="Services"
        heads={['Service', 'Requests', 'Failed', 'Average']}
        rows={report.services.map(({ service, requests, failed, averageMs }) => ({
          key: service,
          cells: [
            serviceName(service),
            formatCount(requests),
            bad(failed),
            averageMs === null
              ? ''
              : `${averageMs < 10 ? averageMs.toFixed(1) : Math.round(averageMs)} ms`,
          ],
        }))}
      />
      <Table
        label="Connections to the database"
        heads={['Connections', 'In use', 'Of', 'Waiting']}
        rows={report.pools.map(({ pool, size, inUse, waiting }) => ({
          key: pool,
          cells: [POOLS[pool] ?? pool, inUse, size, bad(waiting)],
        }))}
      />
    </div>
  );
}

export function Storage({ storage }: { storage: SystemReport['storage'] }) {
  const { databaseBytes, tables, objects, disks } = storage;
  const figures = [
    ['Database', formatBytes(databaseBytes)],
    ['Files', `${formatBytes(objects.bytes)} in ${formatCount(objects.count)}`],
    ...disks.map(
      ({ name, free, total }) =>
        [
          `Free on the disk of ${name.toLowerCase()}`,
          `${formatBytes(free)} of ${formatBytes(total)}`,
        ] as const,
    ),
  ] as const;
  return (
    <div className="grid gap-5">
      <Figures figures={figures} />
      <Table
        label="Largest tables"
        heads={['Largest tables', 'Rows, about', 'Size']}
        rows={tables.map(({ table, rows, bytes }) => ({
          key: table,
          cells: [
            table.replace(/^public\./, ''),
            formatCount(Math.round(rows)),
            formatBytes(bytes),
          ],
        }))}
      />
    </div>
  );
}

export function Servers({ report }: { report: SystemReport }) {
  return (
    <Table
      label="Servers"
      heads={['Server', 'Version', 'Since']}
      rows={report.nodes.map(({ id, version, isThis, since }) => ({
        key: id,
        cells: [
          <span key="id" className="inline-flex flex-wrap items-center gap-2">
            {id} {isThis && <Badge tone="blue">This one</Badge>}
          </span>,
          version,
          <Moment key="since" at={since} now={report.at} />,
        ],
      }))}
    />
  );
}

/** The reference is what a person quotes, and what is in the log. */
export function Errors({ report }: { report: SystemReport }) {
  if (report.errors.length === 0) {
    return <p className="text-sm text-muted">None since the start.</p>;
  }
  return (
    <ul aria-label="Last errors" className="grid gap-3">
      {report.errors.map(({ at, what, reason, requestId, request }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two errors may be equal, and the list has no order to change.
          key={`${at} ${index}`}
          className="grid gap-0.5 border-b border-line pb-3 text-sm last:border-0 last:pb-0"
        >
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">{what}</span>
            <span className="text-muted">
              <MomentText at={at} />
            </span>
          </p>
          {reason && <p className="[overflow-wrap:anywhere]">{reason}</p>}
          {request && <p className="text-muted [overflow-wrap:anywhere]">{request}</p>}
          {requestId && (
            <p className="text-muted [overflow-wrap:anywhere]">Reference: {requestId}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
