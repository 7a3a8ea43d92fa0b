import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { maySee } from '#shared/screens.ts';
import { Item } from '#web/components/ui/figures.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { formatDateTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import {
  CALL_KIND_LABELS,
  CALL_PRIORITY_LABELS,
  CALL_STATE_LABELS,
} from '#web/lib/vocabulary/dispatch.ts';
import { ALERT_KIND_LABELS, CALL_RESULT_LABELS } from '#web/lib/vocabulary/kinds.ts';
import type { WatchFacts, WatchGap } from './watch-schema.ts';

type FactsProps = { facts: WatchFacts; names: ReadonlyMap<string, string> };

const LINK = `${PAGE_LINK} font-semibold`;

/** To the shift on the board, from which one comes to its alerts and its post. */
const ShiftLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/admin/operations" search={{ open: id }} className={LINK}>
    {children}
  </Link>
);

type ListProps<Row> = {
  title: string;
  rows: readonly Row[];
  empty: string;
  children: (row: Row) => ReactNode;
};

function FactList<Row extends { id: string }>({ title, rows, empty, children }: ListProps<Row>) {
  return (
    <Panel title={title} isSmall>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {rows.map((row) => (
            <li key={row.id} className="py-1.5 [overflow-wrap:anywhere]">
              {children(row)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function shortageOf({ missing, late, is_running }: WatchGap): string {
  return [
    missing > 0 && `${missing} ${is_running ? 'uncovered' : 'more needed'}`,
    late > 0 && `${late} not clocked in`,
  ]
    .filter(Boolean)
    .join(', ');
}

function Gaps({ coverage }: Pick<WatchFacts, 'coverage'>) {
  const { gaps, gaps_now, gaps_next } = coverage;
  const others = gaps_now + gaps_next - gaps.length;
  return (
    <FactList
      title="Posts that lack a guard"
      rows={gaps}
      empty="Every post is covered, now and in the next 12 hours."
    >
      {(gap) => (
        <>
          <ShiftLink id={gap.id}>{gap.site_name}</ShiftLink>
          <span className="block text-muted">
            {formatTimeRange(gap.start_time, gap.end_time, gap.timezone)}:{' '}
            <span className={gap.is_running ? 'text-danger' : 'text-warning'}>
              {shortageOf(gap)}
            </span>{' '}
            of {gap.required}
            {gap === gaps.at(-1) && others > 0 && (
              <span className="block">and {formatCount(others)} more shifts</span>
            )}
          </span>
        </>
      )}
    </FactList>
  );
}

function Counts({ facts }: { facts: WatchFacts }) {
  const { seats, alerts, incidents, coverage } = facts;
  const { roles } = useAuth();
  const open = `${formatCount(incidents.open)} (${formatCount(incidents.grave)} high or critical)`;
  return (
    <Panel title="At the handover" isSmall>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 tabular-nums sm:grid-cols-4">
        <Item className="font-semibold" name="On post">
          {formatCount(seats.on_post)}
        </Item>
        <Item className="font-semibold" name="Missing">
          {formatCount(seats.missing)}
        </Item>
        <Item className="font-semibold" name="Uncovered, now or within 2 hours">
          {formatCount(seats.empty)}
        </Item>
        <Item className="font-semibold" name="Not confirmed, due within 2 hours">
          {formatCount(seats.unconfirmed)}
        </Item>
        <Item className="font-semibold" name="Seats open in the next 12 hours">
          {formatCount(coverage.next_missing)} of {formatCount(coverage.next_required)}
        </Item>
        <Item className="font-semibold" name="Alerts in this watch">
          {formatCount(alerts.raised)} raised, {formatCount(alerts.closed)} closed
        </Item>
        <Item className="font-semibold" name="Open incidents">
          {maySee(roles, 'incidents') ? (
            <Link to="/admin/incidents" search={{ status: 'active' }} className={LINK}>
              {open}
            </Link>
          ) : (
            open
          )}
        </Item>
        <Item className="font-semibold" name="Incidents in this watch">
          {formatCount(incidents.reported)}
        </Item>
      </dl>
    </Panel>
  );
}

/** What a watch leaves behind: as it is now, or as it was when it was signed. */
export function WatchFactsView({ facts, names }: FactsProps) {
  const person = (id: string | null) =>
    id ? <PersonLink id={id} name={names.get(id) ?? 'Former user'} /> : 'Former user';
  return (
    <div className="grid gap-4">
      <Counts facts={facts} />
      <div className="grid gap-4 lg:grid-cols-2 print:grid-cols-2">
        <FactList title="Open alerts" rows={facts.alerts.open} empty="No alert is open.">
          {({ kind, site, site_id, shift_id, user_id, raised_at, is_acknowledged }) => (
            <>
              {shift_id ? (
                <ShiftLink id={shift_id}>{site}</ShiftLink>
              ) : (
                <SiteLink id={site_id} name={site ?? ''} />
              )}
              <span className="block text-muted">
                {ALERT_KIND_LABELS[kind]}
                {user_id && <>: {person(user_id)}</>}, since {formatDateTime(raised_at)},{' '}
                {is_acknowledged ? 'acknowledged' : 'not acknowledged'}
              </span>
            </>
          )}
        </FactList>
        <FactList
          title="Open calls"
          rows={facts.service_calls}
          empty="No call for service is open."
        >
          {({ id, kind, priority, site, state, received_at, units }) => (
            <>
              <Link to="/admin/dispatch" search={{ open: id }} className={LINK}>
                {CALL_KIND_LABELS[kind]}, {site}
              </Link>
              <span className="block text-muted">
                {CALL_PRIORITY_LABELS[priority]}, since {formatDateTime(received_at)}:{' '}
                {[CALL_STATE_LABELS[state], ...units].join(', ')}
              </span>
            </>
          )}
        </FactList>
        <Gaps coverage={facts.coverage} />
        <FactList title="Log" rows={facts.notes} empty="Nothing was noted in this watch.">
          {({ body, at, is_pinned, user_id, site }) => (
            <>
              <span className="whitespace-pre-line">{body}</span>
              <span className="block text-muted">
                {is_pinned && 'Pinned, '}
                {formatDateTime(at)}, {person(user_id)}
                {site && `, ${site}`}
              </span>
            </>
          )}
        </FactList>
        <FactList
          title="Replacements and calls"
          rows={[
            ...facts.replacements.map((row) => ({ ...row, result: undefined, note: null })),
            ...facts.calls.map((row) => ({ ...row, joins_at: null })),
          ]}
          empty="No guard was replaced or called."
        >
          {({ site, shift_id, user_id, at, joins_at, result, note }) => (
            <>
              <ShiftLink id={shift_id}>{site}</ShiftLink>
              <span className="block text-muted">
                {formatDateTime(at)}:{' '}
                {result === undefined ? (
                  <>
                    {person(user_id)} stands in
                    {joins_at && `, from ${formatDateTime(joins_at)}`}
                  </>
                ) : (
                  <>
                    called {person(user_id)}, {CALL_RESULT_LABELS[result].toLowerCase()}
                    {note && `: ${note}`}
                  </>
                )}
              </span>
            </>
          )}
        </FactList>
      </div>
    </div>
  );
}
