import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Share, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { company } from '#company';
import { mayEnterPortal } from '#shared/screens.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { clockShiftsQuery } from '#web/features/clocking/clock/clock-shifts.ts';
import { DutyCard } from '#web/features/clocking/clock/duty-card.tsx';
import { OrdersCard } from '#web/features/clocking/clock/orders-card.tsx';
import { useGuardOrders } from '#web/features/clocking/clock/post-orders.ts';
import { useDutyStatus } from '#web/features/clocking/clock/use-clock.ts';
import { RecentIncidentsCard } from '#web/features/incidents/incidents/guard/recent-incidents-card.tsx';
import { siteChoicesQuery } from '#web/features/incidents/incidents/guard/site-choices.ts';
import { templatesQuery } from '#web/features/incidents/incidents/guard/template-chips.tsx';
import { AnnouncementCard } from '#web/features/notices/announcements/guard/announcement-card.tsx';
import { OfferCards } from '#web/features/offers/replacements/guard/offer-cards.tsx';
import { UnitCallPlace } from '#web/features/operations/dispatch/guard/unit-call-place.tsx';
import { PatrolCard } from '#web/features/operations/patrols/guard/patrol-card.tsx';
import { useGuardTours } from '#web/features/operations/patrols/guard/tours.ts';
import { BookLink } from '#web/features/posts/book/guard/book-link.tsx';
import { useHandover } from '#web/features/posts/handovers/guard/handover.ts';
import { HandoverCard } from '#web/features/posts/handovers/guard/handover-card.tsx';
import { GuardShiftsCard } from '#web/features/shifts/shifts/guard/guard-shifts-card.tsx';
import { ReliefCard, useRelief } from '#web/features/shifts/shifts/guard/relief-card.tsx';
import { dismissInstall, useInstallable } from '#web/lib/app/install.ts';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { cn } from '#web/lib/cn.ts';
import { Later } from '#web/lib/render/later.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { ActionCards } from './action-cards.tsx';
import { bookDutyOf } from './book-duty.ts';
import { FirstDayCard } from './first-day.tsx';
import { PortalLink } from './portal-link.tsx';

const ReportIncidentDialog = lazily(
  async () =>
    (await import('#web/features/incidents/incidents/guard/report-incident-dialog.tsx'))
      .ReportIncidentDialog,
);

const EarningsCard = lazily(
  async () => (await import('#web/features/pay/payroll/guard/earnings-card.tsx')).EarningsCard,
);

type WorkProps = {
  userId: string;
  /** Below the work. */
  children: ReactNode;
};

/** These are by themselves, because the status follows the clock. */
function Patrols({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  return (
    <PatrolCard
      userId={userId}
      isOnDuty={duty?.state === 'in'}
      left={duty?.state === 'out' ? duty.last : undefined}
    />
  );
}

/** One tap from home while on duty. */
function Book({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  return duty?.state === 'in' ? <BookLink userId={userId} duty={bookDutyOf(duty.shift)} /> : null;
}

function Relief({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  return <ReliefCard userId={userId} isOnDuty={duty?.state === 'in'} />;
}

/** After duty: what it earns. */
function Earned({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  if (duty?.state !== 'out' || !duty.last || duty.available.length > 0) return null;
  return (
    <LazyPart>
      <EarningsCard userId={userId} />
    </LazyPart>
  );
}

/** Asked at the end of duty; a damage can be reported at once, with a photo. */
function Handover({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  const [damaged, setDamaged] = useState<string[]>();
  const close = () => setDamaged(undefined);
  return (
    <>
      <HandoverCard
        userId={userId}
        leftId={duty?.state === 'out' ? duty.last?.assignment_id : undefined}
        onDamage={setDamaged}
      />
      {damaged && (
        <LazyPart fallback={<Opening title="Report Incident" />} onClose={close}>
          <ReportIncidentDialog
            start={{
              title: 'Damaged equipment',
              category: 'property',
              description: damaged.join('\n'),
            }}
            onClose={close}
          />
        </LazyPart>
      )}
    </>
  );
}

function Shifts({ userId }: { userId: string }) {
  const { duty } = useDutyStatus(userId);
  const atPost = duty?.state === 'in' ? duty.shift.assignment_id : undefined;
  return <GuardShiftsCard userId={userId} atPost={atPost} />;
}

function Work({ userId, children }: WorkProps) {
  const tours = useGuardTours(userId).query;
  const duty = useQuery(clockShiftsQuery(userId));
  const orders = useGuardOrders(userId).query;
  const handover = useHandover(userId).query;
  const relief = useRelief(userId);
  const isReady = isKnown(duty) && isKnown(tours) && isKnown(relief);
  return (
    <>
      <div className={cn('mt-4 sm:mt-6', !isReady && 'min-h-dvh')}>
        <div
          hidden={!isReady}
          className="grid grid-cols-1 items-start gap-3 sm:gap-6 lg:grid-cols-[3fr_2fr]"
        >
          <Shifts userId={userId} />
          <div className="grid gap-6 max-lg:contents">
            <div className="empty:hidden max-lg:order-first">
              <Book userId={userId} />
            </div>
            {/* On the phone a round that is due comes before the shifts of the week. */}
            <div className="empty:hidden max-lg:order-first">
              <Patrols userId={userId} />
            </div>
            <div className="empty:hidden max-lg:order-first">
              <Relief userId={userId} />
            </div>
            <Later>
              <Earned userId={userId} />
              <OrdersCard userId={userId} />
              <Handover userId={userId} />
              <div hidden={!isKnown(orders) || !isKnown(handover)}>
                <RecentIncidentsCard />
              </div>
            </Later>
          </div>
        </div>
      </div>
      <Below queries={[duty, tours, orders, handover]}>{children}</Below>
    </>
  );
}

export function HomeScreen() {
  const { user, roles, isAdmin, isOpsManager, isSupervisor } = useAuth();
  usePageTitle('Staff Portal');
  // Reporting an incident must work offline.
  usePrefetchQuery(siteChoicesQuery);
  usePrefetchQuery(templatesQuery);
  if (!user) return null;
  return (
    <>
      <h1 className="mb-2 font-display text-2xl leading-tight sm:mb-4 sm:text-4xl">Staff Portal</h1>
      <UnitCallPlace userId={user.id} />
      <AnnouncementCard userId={user.id} />
      <OfferCards userId={user.id} />
      <DutyCard userId={user.id} />
      <ActionCards />
      {(isAdmin || isOpsManager || isSupervisor) && (
        <ul className="mt-3 sm:mt-4">
          <PortalLink
            isLow
            to="/staff/muster"
            title="Muster"
            text="On your round: mark who is at their post, even without a signal."
          />
        </ul>
      )}
      <FirstDayCard />
      <Work userId={user.id}>
        <Later>
          <nav aria-label="Other portals" className="mt-4 sm:mt-8">
            <ul className="grid gap-3 sm:grid-cols-2 sm:gap-4">
              <PortalLink
                isLow
                to="/deployments"
                title="Guard Deployment Tracker"
                text="See who is deployed where, and add or remove deployments."
              />
              {mayEnterPortal(roles) && (
                <PortalLink
                  isLow
                  to="/admin"
                  title="Admin Portal"
                  text="Manage the company's operations."
                />
              )}
            </ul>
          </nav>
          <InstallCard />
        </Later>
      </Work>
    </>
  );
}

export function InstallCard() {
  const installable = useInstallable();
  if (!installable) return null;
  const isShareMenu = installable.how === 'share-menu';
  const Icon = isShareMenu ? Share : Smartphone;
  return (
    <section
      aria-label="Install"
      className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-sm border border-line p-4 sm:px-5"
    >
      <Icon aria-hidden="true" className="size-6 shrink-0 text-accent" />
      <p className="min-w-48 flex-1 text-sm">
        <span className="block font-semibold">{company.shortName} on your home screen</span>
        <span className="text-muted">
          {isShareMenu
            ? 'Tap Share, then Add to Home Screen. It opens without a signal too.'
            : 'It opens faster, and without a signal too.'}
        </span>
      </p>
      <div className="flex gap-2">
        {installable.how === 'button' && (
          <Button variant="secondary" onClick={() => void installable.install()}>
            Install
          </Button>
        )}
        <Button variant="ghost" onClick={dismissInstall}>
          Not now
        </Button>
      </div>
    </section>
  );
}
