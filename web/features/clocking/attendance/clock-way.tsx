import { useQuery } from '@tanstack/react-query';
import {
  Building2,
  type LucideIcon,
  MessageSquareText,
  Smartphone,
  TabletSmartphone,
  UserRoundCheck,
} from 'lucide-react';
import { attendanceKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clockWayLabel } from '#web/lib/vocabulary/kinds.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  phone: Smartphone,
  device: TabletSmartphone,
  muster: UserRoundCheck,
  message: MessageSquareText,
  office: Building2,
};

export function ClockWay({ way }: { way: string }) {
  const Icon = ICONS[way];
  return (
    <span className="inline-flex items-center gap-1 text-sm font-normal whitespace-nowrap text-muted">
      {Icon && <Icon aria-hidden className="size-3.5 shrink-0" />}
      {clockWayLabel(way)}
    </span>
  );
}

/** The picture that a device took at the event; nothing if there is none, or its time was over. */
export function ClockPicture({ eventId }: { eventId: string }) {
  const { data } = useQuery({
    queryKey: [...attendanceKey, 'picture', eventId],
    queryFn: async () => {
      const { data: photo } = await supabase()
        .rpc('clock_photo', { p_event_id: eventId })
        .throwOnError();
      return photo ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  return (
    <img
      src={`data:image/jpeg;base64,${data}`}
      alt="Taken at the event"
      className="mt-1 h-24 w-auto rounded-sm border border-line"
    />
  );
}
