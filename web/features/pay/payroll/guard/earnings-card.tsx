import { useQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { useAuth } from '#web/lib/session/auth.ts';
import { describeEarning, earningsQuery } from './earnings.ts';

/** What the guard has earned so far. Nothing until it is known, or without a signal: an old figure would mislead. */
export function EarningsCard({ userId }: { userId: string }) {
  const { data } = useQuery(earningsQuery(userId));
  const { roles } = useAuth();
  const isGuard = roles.includes('guard');
  if (!data || (data.length === 0 && !isGuard)) return null;
  return (
    <section
      aria-label="What I earn"
      className="flex gap-3 rounded-sm border border-line bg-raised p-4 shadow-panel sm:px-5"
    >
      <Wallet aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="min-w-0">
        {data.length === 0 ? (
          <p>
            We can't estimate what you earn: your pay is not entered yet. Ask your office to do so.
          </p>
        ) : (
          <>
            {data.map((earning) => (
              <p key={earning.currency} className="font-semibold text-pretty tabular-nums">
                {describeEarning(earning)}
              </p>
            ))}
            <p className="mt-0.5 text-sm text-pretty text-muted">
              An estimate from the hours recorded until now, approved or not. Your payslip counts.
            </p>
          </>
        )}
      </div>
    </section>
  );
}
