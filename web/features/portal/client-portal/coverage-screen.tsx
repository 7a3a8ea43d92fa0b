import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Bars } from '#web/components/charts/bars.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import {
  formatDay,
  formatDayShort,
  formatMinutes,
  formatPeriod,
  today,
} from '#web/lib/format/dates.ts';
import { ChoiceBar } from './choice-bar.tsx';
import { type Coverage, coverageQuery } from './coverage-api.ts';
import { MonthReports } from './month-reports.tsx';
import { findDays, PERIOD_LABELS, PERIODS, type Period, shareCovered } from './periods.ts';

const SERIES = [
  { name: 'Covered', colour: 'var(--success)' },
  { name: 'Late', colour: 'var(--warning)' },
  { name: 'Uncovered', colour: 'var(--danger)' },
];

const sumOf = (rows: Coverage['days'], key: 'required' | 'uncovered' | 'late' | 'overstaffed') =>
  rows.reduce((sum, row) => sum + row[key], 0);

const formatHours = (hours: number) => formatMinutes(Math.round(hours * 60));

function Figure({ name, children, note }: { name: string; children: string; note?: string }) {
  return (
    <Card className="px-4 py-3.5 sm:px-5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 text-2xl leading-tight font-semibold tabular-nums">{children}</dd>
      {note && <dd className="mt-0.5 text-sm text-muted">{note}</dd>}
    </Card>
  );
}

const HEADINGS = ['Required', 'Uncovered', 'Of it late', 'Extra', 'Covered'] as const;

function PostTable({ posts }: { posts: Coverage['posts'] }) {
  return (
    <ScrollRegion label="Coverage by post">
      <table className="w-full text-left text-sm tabular-nums">
        <caption className="sr-only">Coverage by post</caption>
        <thead>
          <tr className="border-b border-line-strong">
            <th scope="col" className="px-4 py-2.5 font-semibold sm:px-5">
              Post
            </th>
            {HEADINGS.map((name) => (
              <th
                key={name}
                scope="col"
                className="px-3 py-2.5 text-right font-semibold whitespace-nowrap sm:pr-5"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {posts.map((row) => (
            <tr key={`${row.site_id} ${row.post_id}`}>
              <th scope="row" className="min-w-40 px-4 py-2.5 font-normal sm:px-5">
                <span className="block font-semibold">{row.post ?? 'Other shifts'}</span>
                <span className="block text-muted">{row.site}</span>
              </th>
              {[row.required, row.uncovered, row.late, row.overstaffed].map((minutes, index) => (
                <td
                  key={HEADINGS[index]}
                  className="px-3 py-2.5 text-right whitespace-nowrap sm:pr-5"
                >
                  {minutes === 0 ? '-' : formatMinutes(minutes)}
                </td>
              ))}
              <td className="px-3 py-2.5 text-right font-semibold whitespace-nowrap sm:pr-5">
                {shareCovered(row.required, row.uncovered)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Report({ coverage: { days, posts } }: { coverage: Coverage }) {
  const required = sumOf(days, 'required');
  const uncovered = sumOf(days, 'uncovered');
  const late = sumOf(days, 'late');
  if (required === 0) return <EmptyNote>No shift was due in this period.</EmptyNote>;
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure name="Covered">{shareCovered(required, uncovered)}</Figure>
        <Figure name="Required">{formatMinutes(required)}</Figure>
        <Figure name="Uncovered">{formatMinutes(uncovered)}</Figure>
        <Figure name="Of it late" note="A guard came, after the start">
          {formatMinutes(late)}
        </Figure>
      </dl>
      <Card className="min-w-0 p-4 sm:p-6">
        <h2 className="mb-3 font-display text-xl leading-tight">By day</h2>
        <Bars
          caption="Hours of guards by day"
          series={SERIES}
          layout="stacked"
          groups={days.map((row) => ({
            id: row.day,
            name: formatDayShort(row.day),
            values: [row.required - row.uncovered, row.late, row.uncovered - row.late].map(
              (minutes) => minutes / 60,
            ),
          }))}
          format={formatHours}
        />
      </Card>
      <Card className="min-w-0">
        <h2 className="border-b border-line px-4 py-3.5 font-display text-xl leading-tight sm:px-5">
          By post
        </h2>
        <PostTable posts={posts} />
      </Card>
    </div>
  );
}

export function CoverageScreen() {
  const [period, setPeriod] = useState<Period>('week');
  const { from, to } = findDays(period, today());
  const query = useQuery({ ...coverageQuery(from, to), placeholderData: keepPreviousData });
  usePageTitle('Coverage');
  return (
    <>
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">Coverage</h1>
        <p className="text-sm text-muted">
          {from === to ? formatDay(from) : formatPeriod(from, to)}, up to now
        </p>
      </div>
      <div className="mb-6">
        <ChoiceBar
          legend="Period"
          name="period"
          options={PERIODS.map((each) => [each, PERIOD_LABELS[each]] as const)}
          value={period}
          onChange={setPeriod}
        />
      </div>
      <Loaded query={query} loadingText="Loading the coverage">
        {(coverage) => <Report coverage={coverage} />}
      </Loaded>
      <Below queries={[query]}>
        <MonthReports />
      </Below>
    </>
  );
}
