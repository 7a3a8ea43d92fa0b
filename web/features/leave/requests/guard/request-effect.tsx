import { company } from '#company';
import {
  type LeaveBalance,
  type LeavePeriod,
  leaveBalance,
  leaveDays,
} from '#shared/leave-entitlement.ts';
import { formatPeriod, formatWeekday, today } from '#web/lib/format/dates.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { useHiredOn, useOwnRequests, useTouchedShifts } from './api.ts';
import type { RequestForm } from './request-schema.ts';

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;

/** A year: more is a slip of the keyboard. */
const MAX_DAYS = 366;

type RequestDaysProps = { period: LeavePeriod };

/** How long the leave is, and which of the guard's shifts it touches. */
function RequestDays({ period }: RequestDaysProps) {
  const { data: touched } = useTouchedShifts(period);
  const list = touched?.flatMap(({ id, starts_at }) =>
    starts_at === null ? [] : { id, day: formatWeekday(starts_at, company.timeZone) },
  );
  return (
    <section
      role="status"
      aria-label="This request"
      className="rounded-sm border border-line px-4 py-3 text-sm"
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold tabular-nums">{days(leaveDays(period))}</span>
        <span>{formatPeriod(period.start_date, period.end_date)}</span>
      </p>
      {list && list.length === 0 && <p className="mt-1 text-muted">Touches none of your shifts</p>}
      {list && list.length > 0 && (
        <>
          <p className="mt-1 font-semibold text-warning">Touches {list.length} of your shifts</p>
          <p className="flex flex-wrap gap-x-4">
            {list.map(({ id, day }) => (
              <span key={id}>{day}</span>
            ))}
          </p>
        </>
      )}
    </section>
  );
}

type BalanceGuideProps = {
  type: RequestForm['type'];
  /** First day of the request; determines the leave year. */
  start: string;
};

/** @returns undefined until it is loaded, and for a type without a legal number of days */
function useBalance(type: RequestForm['type'], start: string): LeaveBalance | undefined {
  const { data: requests } = useOwnRequests();
  const { data: hiredOn } = useHiredOn();
  if (type === '' || !requests || hiredOn === undefined) return undefined;
  return leaveBalance(type, start || today(), hiredOn, requests);
}

function leftText({ left, entitled, requested }: LeaveBalance): string {
  if (left === null || entitled === null) return 'No hire date on your staff record';
  const text = `${days(Math.max(0, left))} left of ${entitled}`;
  return requested > 0 ? `${text}, of which ${requested} requested` : text;
}

const balanceBox = 'rounded-sm border border-line bg-sunken px-4 py-3 text-sm';

function BalanceGuide({ type, start }: BalanceGuideProps) {
  const balance = useBalance(type, start);
  if (type === '' || !balance) return null;
  const { used, year, rule } = balance;
  return (
    <section aria-label="Leave balance" className={balanceBox}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{LEAVE_TYPE_LABELS[type]} leave, guide</span>
        <span className="tabular-nums">{leftText(balance)}</span>
      </p>
      <p className="mt-1 text-muted">
        {rule}. {days(used)} approved
        {year ? ` in ${formatPeriod(year.start_date, year.end_date)}` : ''}. Source: Decent Work Act
        of Liberia, as mywage.org and the press report it; your contract may give more.
      </p>
    </section>
  );
}

/** The types that guards ask for most, before one is chosen. */
function BalanceOverview() {
  const annual = useBalance('annual', '');
  const sick = useBalance('sick', '');
  if (!annual || !sick) return null;
  return (
    <dl className={balanceBox}>
      {[
        { type: 'annual' as const, balance: annual },
        { type: 'sick' as const, balance: sick },
      ].map(({ type, balance }) => (
        <div key={type} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="font-semibold">{LEAVE_TYPE_LABELS[type]} leave, guide</dt>
          <dd className="tabular-nums">{leftText(balance)}</dd>
        </div>
      ))}
    </dl>
  );
}

type RequestEffectProps = BalanceGuideProps & { end: string };

/** Shown before the request is sent. */
export function RequestEffect({ type, start, end }: RequestEffectProps) {
  const period = { start_date: start, end_date: end };
  const isPeriod = start !== '' && end >= start && leaveDays(period) <= MAX_DAYS;
  return (
    <>
      {isPeriod && <RequestDays period={period} />}
      {type === '' ? <BalanceOverview /> : <BalanceGuide type={type} start={start} />}
    </>
  );
}
