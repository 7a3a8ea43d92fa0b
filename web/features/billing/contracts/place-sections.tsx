// Contracts and coverage on the page of a site or a client.
import { Link } from '@tanstack/react-router';
import { Bars } from '#web/components/charts/bars.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { LoadedCard, LoadedList } from '#web/components/ui/loaded-card.tsx';
import { ITEM_LINK, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import type { Place } from '#web/lib/data/place.ts';
import { formatDay, formatDayShort, formatPeriod, today } from '#web/lib/format/dates.ts';
import { findPeriod } from '#web/lib/format/pay-periods.ts';
import { useCoverage } from './api.ts';
import { useContractsAt } from './place-api.ts';
import { byDay, COVERAGE_SERIES, hours, totalOf } from './rules.ts';
import { BILLING_CYCLE_LABELS } from './schema.ts';

type ContractsProps = {
  place: Place;
  /** Name of the client, which finds its contracts on their list. */
  client: string;
};

export function ContractsSection({ place, client }: ContractsProps) {
  return (
    <LoadedList
      title="Contracts"
      query={useContractsAt(place)}
      loadingText="Loading contracts..."
      emptyText="No contract yet."
      more={
        <Link to="/admin/contracts" search={{ q: client, show: 'all' }} className={MORE_LINK}>
          All contracts
        </Link>
      }
    >
      {({ id, title, starts_on, ends_on, currency, billing_cycle }) => (
        <li key={id}>
          <Link to="/admin/contracts/$id" params={{ id }} className={ITEM_LINK}>
            <SectionRow
              title={title}
              detail={`${ends_on ? formatPeriod(starts_on, ends_on) : `From ${formatDay(starts_on)}`}. ${BILLING_CYCLE_LABELS[billing_cycle]}, in ${currency}`}
              badge={
                ends_on !== null && ends_on < today() ? (
                  <Badge tone="grey">Ended</Badge>
                ) : starts_on > today() ? (
                  <Badge tone="blue">Later</Badge>
                ) : (
                  <Badge tone="green">In force</Badge>
                )
              }
            />
          </Link>
        </li>
      )}
    </LoadedList>
  );
}

type CoverageProps = {
  client: string;
  /** One of the client's sites; all of them without it. */
  site?: string;
};

/** This month until now: hours that were required, and those that somebody worked. */
export function CoverageSection({ client, site }: CoverageProps) {
  return (
    <LoadedCard
      title="Coverage This Month"
      query={useCoverage(client, findPeriod('monthly', today()), site)}
      loadingText="Loading coverage..."
      emptyText="No shift in this month."
    >
      {(rows) => {
        const { share, ...sums } = totalOf(rows);
        return (
          <div className="grid gap-5 px-4 py-4 sm:px-5">
            <Figures
              figures={[
                ['Covered', share],
                ['Required', hours(sums.required)],
                ['Late', hours(sums.late)],
                ['Uncovered', hours(sums.absent)],
              ]}
            />
            <Bars
              caption="Hours by day: covered, late and uncovered"
              layout="stacked"
              series={COVERAGE_SERIES}
              groups={byDay(rows).map(({ day, covered, late, absent }) => ({
                id: day,
                name: formatDayShort(day),
                values: [covered, late, absent].map((minutes) => minutes / 60),
              }))}
              format={(value) => hours(value * 60)}
            />
          </div>
        );
      }}
    </LoadedCard>
  );
}
