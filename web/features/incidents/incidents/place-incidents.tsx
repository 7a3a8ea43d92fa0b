import { Link } from '@tanstack/react-router';
import { IncidentRow } from '#web/components/records/incident-row.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { MORE_LINK } from '#web/components/ui/section-row.tsx';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { ofPlace, type Place } from '#web/lib/data/place.ts';
import { formatDateTime, formatDay, toDay } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const SHOWN = 5;

async function fetchIncidents(place: Place) {
  const { data } = await supabase()
    .from('incidents')
    .select(
      'id, title, severity, status, created_at, sites!inner(name, client_id), incident_letters(approved_at)',
    )
    .eq(...ofPlace(place))
    .order('created_at', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

const useIncidentsAt = (place: Place) =>
  useLiveQuery(['incidents', 'incident_letters'], incidentsKey, {
    queryKey: [...incidentsKey, 'at', place],
    queryFn: () => fetchIncidents(place),
  });

/** What became of the letter to the client; undefined if nobody wrote one. */
function describeLetter(letters: readonly { approved_at: string | null }[]): string | undefined {
  if (letters.length === 0) return undefined;
  const [first] = letters.flatMap(({ approved_at }) => approved_at ?? []).sort();
  return first ? `letter approved ${formatDay(toDay(first))}` : 'letter waits for approval';
}

/** The latest incidents at a site, or at the sites of a client, with the letters to the client. */
export function IncidentsSection({ place }: { place: Place }) {
  const isClient = place.kind === 'client';
  return (
    <LoadedList
      title={isClient ? 'Incidents and Letters' : 'Incidents'}
      query={useIncidentsAt(place)}
      loadingText="Loading incidents..."
      emptyText="No incident reported."
      more={
        !isClient && (
          <Link to="/admin/incidents" search={{ site: place.id }} className={MORE_LINK}>
            All incidents
          </Link>
        )
      }
    >
      {(incident) => (
        <IncidentRow
          key={incident.id}
          incident={incident}
          detail={[
            isClient && incident.sites.name,
            formatDateTime(incident.created_at),
            describeLetter(incident.incident_letters),
          ]
            .filter(Boolean)
            .join(' · ')}
        />
      )}
    </LoadedList>
  );
}
