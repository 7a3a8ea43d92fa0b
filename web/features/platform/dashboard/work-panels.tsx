import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { mayDo } from '#shared/permissions.ts';
import { mayManagePeople, maySee } from '#shared/screens.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { placeOfLink } from '#web/lib/app/place-of-link.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useDates, useStart, useWork } from './api.ts';
import { GapsNext, GapsNow } from './gaps.tsx';
import { type Part, rowsOf, type WorkRow } from './work.ts';

/** As high as usual while they load. */
const PANEL = 'min-h-60';

const Place = () => <Spinner className="mx-auto my-8 text-muted" />;

const ROW =
  'group flex min-h-11 items-center gap-2.5 py-1 text-sm leading-snug underline-offset-4 lg:pointer-fine:min-h-8';

/** In three narrow columns the texts need its place. */
const CHEVRON = 'size-4 shrink-0 text-muted lg:max-2xl:hidden';

/** Each row opens the list that it counts. */
function WorkRows({ rows }: { rows: readonly WorkRow[] }) {
  const widest = Math.max(...rows.map(({ amount }) => formatCount(amount).length));
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ item, amount, label, explained, hint, to, search }) => (
        <li key={item}>
          <Link to={to} search={search} className={ROW}>
            <span
              className="shrink-0 text-right text-base font-semibold tabular-nums"
              style={{ minWidth: `${widest + 0.5}ch` }}
            >
              {formatCount(amount)}
            </span>
            <span className="min-w-0 flex-1 group-hover:underline">
              {label}
              {explained && <span className="block text-xs text-muted">{explained}</span>}
              {hint && <span className="block text-xs text-warning">{hint}</span>}
            </span>
            <ChevronRight aria-hidden="true" className={CHEVRON} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** @param calm what is shown if there is nothing to do */
function LoadedWork({ part, calm }: { part: Part; calm: ReactNode }) {
  return (
    <Loaded
      query={useWork()}
      loadingText="Loading your work..."
      missing="Your work could not be loaded"
      placeholder={<Place />}
    >
      {(work) => {
        const rows = rowsOf(part, work, today());
        return rows.length === 0 ? calm : <WorkRows rows={rows} />;
      }}
    </Loaded>
  );
}

function WrongNow({ hasCoverage }: { hasCoverage: boolean }) {
  const isCovered = useStart(hasCoverage).data?.gaps_now === 0;
  return (
    <Panel title="Wrong now" isSmall className={PANEL}>
      {hasCoverage && <GapsNow />}
      <LoadedWork
        part="wrong"
        calm={
          hasCoverage && !isCovered ? null : (
            <p className="text-sm text-muted">
              {hasCoverage ? 'Nothing else is wrong.' : 'Nothing is wrong.'}
            </p>
          )
        }
      />
    </Panel>
  );
}

/** Where work begins while none waits, for those who may do it. */
function FirstSteps() {
  const { roles } = useAuth();
  const steps = [
    { to: '/admin/clients', label: 'Add a client', isShown: mayDo(roles, 'clients', 'insert') },
    { to: '/admin/sites', label: 'Add a site', isShown: mayDo(roles, 'sites', 'insert') },
    { to: '/admin/people/new', label: 'Hire a person', isShown: mayManagePeople(roles) },
    { to: '/admin/roster', label: 'Plan the roster', isShown: maySee(roles, 'roster') },
    {
      to: '/admin/contracts',
      label: 'Add a contract',
      isShown: mayDo(roles, 'contracts', 'insert'),
    },
    { to: '/admin/payruns', label: 'Prepare a pay run', isShown: maySee(roles, 'payruns') },
  ].filter(({ isShown }) => isShown);
  return (
    <>
      <p className="text-sm text-muted">Nothing waits for you. To go on:</p>
      <ul className="mt-2 divide-y divide-line">
        {steps.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className={ROW}>
              <span className="flex-1 group-hover:underline">{label}</span>
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What falls due by the calendar, in the words of its notice. */
const DueDates = () => (
  <Loaded
    query={useDates()}
    loadingText="Loading due dates..."
    missing="Due dates could not be loaded"
    placeholder={<Place />}
  >
    {(dates) => (
      <ul className="divide-y divide-line">
        {dates.map(({ topic, title, first_on, link }) => (
          <li key={topic}>
            <Link {...placeOfLink(link)} className={ROW}>
              <span className="min-w-0 flex-1 group-hover:underline">
                {title}
                <span className="block text-xs text-muted">
                  {first_on <= today() ? 'since' : 'on'} {formatDay(first_on)}
                </span>
              </span>
              <ChevronRight aria-hidden="true" className={CHEVRON} />
            </Link>
          </li>
        ))}
      </ul>
    )}
  </Loaded>
);

/** What is wrong now, what waits for a decision of the user, and what comes next. */
export function WorkPanels({ hasCoverage }: { hasCoverage: boolean }) {
  const hasDates = (useDates().data?.length ?? 0) > 0;
  return (
    <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
      <WrongNow hasCoverage={hasCoverage} />
      <Panel title="Waiting for you" isSmall className={PANEL}>
        <LoadedWork part="waiting" calm={<FirstSteps />} />
      </Panel>
      <div className="grid md:max-lg:col-span-2">
        <Panel title="Coming next" isSmall className={PANEL}>
          {hasCoverage && <GapsNext />}
          <DueDates />
          <LoadedWork
            part="next"
            calm={
              hasCoverage || hasDates ? null : (
                <p className="text-sm text-muted">Nothing falls due in the next days.</p>
              )
            }
          />
        </Panel>
      </div>
    </div>
  );
}
