import { useQuery } from '@tanstack/react-query';
import { attendanceKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

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
