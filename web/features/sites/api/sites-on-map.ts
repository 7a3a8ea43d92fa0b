// Every site that has coordinates, for the map.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';

export type SiteOnMap = { id: string; name: string; latitude: number; longitude: number };

async function listSitesOnMap(): Promise<SiteOnMap[]> {
  const { data } = await supabase()
    .from('sites')
    .select('id, name, latitude, longitude')
    .not('latitude', 'is', null)
    .order('name')
    .throwOnError();
  return data.flatMap(({ latitude, longitude, ...site }) =>
    latitude === null || longitude === null ? [] : [{ ...site, latitude, longitude }],
  );
}

export const useSitesOnMap = () =>
  useQuery({ queryKey: [...sitesKey, 'map'], queryFn: listSitesOnMap });
