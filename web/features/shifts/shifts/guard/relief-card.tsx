import { useQuery } from '@tanstack/react-query';
import { Phone } from 'lucide-react';
import { useId, useState } from 'react';
import { formatPhone } from '#shared/phone.ts';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ShowAll } from '#web/components/ui/show-all.tsx';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardReliefKey } from '#web/lib/data/keys.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function fetchRelief() {
  const { data } = await supabase().rpc('my_relief', undefined, { get: true }).throwOnError();
  return data;
}

type Colleague = Awaited<ReturnType<typeof fetchRelief>>[number];

/** Who is called first; the rest on demand. */
const SHOWN = 1;

/** Kept for a call without a signal for data. Colleagues' changes aren't sent: guards can't read them. */
export function useRelief(userId: string) {
  useLiveTable(ownRows(userId, 'assignments'), guardReliefKey);
  return useQuery({
    queryKey: [...guardReliefKey, userId],
    queryFn: fetchRelief,
    refetchInterval: 10 * 60_000,
    meta: PERSISTED,
  });
}

function ColleagueRow({ colleague }: { colleague: Colleague }) {
  const { side, full_name, phone, start_time, end_time, timezone } = colleague;
  const isBefore = side === 'before';
  return (
    <li className="flex items-center gap-3 px-4 py-1.5 sm:px-5">
      <p className="min-w-0 flex-1">
        <span className="block font-semibold break-words">
          {isBefore ? `You relieve ${full_name}` : `${full_name} relieves you`}
        </span>
        <span className="block text-sm text-muted tabular-nums">
          {isBefore
            ? `There until ${formatTime(end_time, timezone)}`
            : `Comes at ${formatTime(start_time, timezone)}`}
        </span>
      </p>
      {phone && (
        <a
          href={`tel:${phone}`}
          aria-label={`Call ${full_name}, ${formatPhone(phone)}`}
          className={buttonStyles({ variant: 'secondary', className: 'shrink-0 px-3.5' })}
        >
          <Phone aria-hidden="true" className="size-4" /> Call
        </a>
      )}
    </li>
  );
}

type ReliefCardProps = {
  userId: string;
  /** Then who comes next counts, and before duty who is there. */
  isOnDuty: boolean;
};

/** Whom the guard relieves, or on duty who relieves them, with a button to call. Nothing without colleagues. */
export function ReliefCard({ userId, isOnDuty }: ReliefCardProps) {
  const { data = [] } = useRelief(userId);
  const [isExpanded, setExpanded] = useState(false);
  const listId = useId();
  const all = data.filter(({ side }) => side === (isOnDuty ? 'after' : 'before'));
  if (all.length === 0) return null;
  const shown = isExpanded ? all : all.slice(0, SHOWN);
  return (
    <Card>
      <ul id={listId} aria-label="Relief" className="divide-y divide-line">
        {shown.map((colleague) => (
          <ColleagueRow key={colleague.assignment_id} colleague={colleague} />
        ))}
      </ul>
      {all.length > SHOWN && (
        <ShowAll
          isExpanded={isExpanded}
          controls={listId}
          all={String(all.length)}
          onToggle={() => setExpanded(!isExpanded)}
        />
      )}
    </Card>
  );
}
