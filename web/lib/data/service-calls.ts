import { supabase } from '../supabase/client.ts';
import { dispatchKey } from './keys.ts';
import { useChange } from './use-change.ts';

/** What a call for service is made from. */
export type CallSource = { alertId: string } | { incidentId: string };

/** Pressed again, it is the same call. @returns its id */
async function makeCall(source: CallSource): Promise<string> {
  const { data } =
    'alertId' in source
      ? await supabase().rpc('call_for_alert', { p_alert_id: source.alertId }).throwOnError()
      : await supabase()
          .rpc('call_for_incident', { p_incident_id: source.incidentId })
          .throwOnError();
  return data.id;
}

export const useMakeCall = () => useChange(dispatchKey, makeCall);
