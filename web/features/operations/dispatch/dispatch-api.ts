import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  CALL_GOALS_PRIORITY,
  RESPONSE_UNITS_STATE,
  SERVICE_CALLS_PRIORITY,
} from '#shared/database.values.ts';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { dispatchKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const TABLES = ['service_calls', 'response_units', 'unit_events'] as const;
const MOST_OPEN = 200;
const MOST_CLOSED = 50;

const CALL_COLUMNS = `id, source, incident_id, site_id, client_name, address, gps, kind, priority, caller_name,
  caller_phone, details, received_at, answer_due_at, en_route_due_at, on_scene_due_at, state, answered_at, en_route_at,
  on_scene_at, cleared_at, closed_at, outcome, updated_at, sites(name),
  units:response_units!response_units_call_id_fkey(id, call_sign, state, assigned_id, reply_due_at)`;

const calls = () => supabase().from('service_calls').select(CALL_COLUMNS);

const fetchOpen = async () =>
  (await calls().is('closed_at', null).order('received_at').limit(MOST_OPEN).throwOnError()).data;

const fetchClosed = async () =>
  (
    await calls()
      .not('closed_at', 'is', null)
      .order('closed_at', { ascending: false })
      .limit(MOST_CLOSED)
      .throwOnError()
  ).data;

const fetchCall = async (id: string) =>
  (await calls().eq('id', id).maybeSingle().throwOnError()).data;

export type Call = NonNullable<Awaited<ReturnType<typeof fetchCall>>>;

/** Of a call in a list, a title and the dialog: its site, or the address where it has none. */
export const placeOf = ({ sites, address }: Pick<Call, 'sites' | 'address'>): string =>
  sites?.name ?? address;

async function fetchCalls() {
  const [open, closed] = await Promise.all([fetchOpen(), fetchClosed()]);
  const rank = ({ priority }: Call) => SERVICE_CALLS_PRIORITY.indexOf(priority);
  return { open: open.sort((a: Call, b: Call) => rank(a) - rank(b)), closed };
}

/** Open calls, danger first and the oldest of each first; and those closed last. */
export const callsQuery = queryOptions({
  queryKey: [...dispatchKey, 'calls'],
  queryFn: fetchCalls,
});

export const useCalls = () => useLiveQuery(TABLES, dispatchKey, callsQuery);

export const useCall = (id: string) =>
  useLiveQuery(TABLES, dispatchKey, {
    queryKey: [...dispatchKey, 'call', id],
    queryFn: () => fetchCall(id),
  });

async function fetchEvents(callId: string) {
  const { data } = await supabase()
    .from('unit_events')
    .select(
      `id, kind, happened_at, received_at, note, outcome, counts,
       unit:response_units!unit_events_unit_id_fkey(call_sign),
       person:profiles!unit_events_user_id_fkey(full_name, email)`,
    )
    .eq('call_id', callId)
    .order('happened_at')
    .order('sequence')
    .limit(500)
    .throwOnError();
  return data;
}
export type CallEvent = Awaited<ReturnType<typeof fetchEvents>>[number];

export const useCallEvents = (callId: string) =>
  useLiveQuery(TABLES, dispatchKey, {
    queryKey: [...dispatchKey, 'events', callId],
    queryFn: () => fetchEvents(callId),
  });

const RANK_MS = 30_000;

async function fetchRanking(callId: string) {
  const { data } = await supabase()
    .rpc('rank_units', { call_id: callId }, { get: true })
    .throwOnError();
  return data.map((row) => ({ ...row, state: z.enum(RESPONSE_UNITS_STATE).parse(row.state) }));
}
export type RankedUnit = Awaited<ReturnType<typeof fetchRanking>>[number];

/** Positions age without any change of a row. */
export const useRanking = (callId: string) =>
  useLiveQuery(TABLES, dispatchKey, {
    queryKey: [...dispatchKey, 'ranking', callId],
    queryFn: () => fetchRanking(callId),
    refetchInterval: refetchEvery(RANK_MS),
  });

async function fetchUnits() {
  const { data } = await supabase()
    .from('response_units')
    .select(
      `id, call_sign, vehicle, site_id, base_gps, state, state_since, updated_at, sites(name),
       call:service_calls!response_units_call_id_fkey(id, kind, address, sites(name)),
       unit_members(user_id, profiles(full_name, email, phone))`,
    )
    .order('call_sign')
    .limit(500)
    .throwOnError();
  return data;
}
export type Unit = Awaited<ReturnType<typeof fetchUnits>>[number];

export const useUnits = () =>
  useLiveQuery(TABLES, dispatchKey, { queryKey: [...dispatchKey, 'units'], queryFn: fetchUnits });

async function fetchGoals() {
  const { data } = await supabase()
    .from('call_goals')
    .select('id, priority, reply_minutes, answer_minutes, en_route_minutes, on_scene_minutes')
    .throwOnError();
  const rank = ({ priority }: (typeof data)[number]) => CALL_GOALS_PRIORITY.indexOf(priority);
  return data.sort((a, b) => rank(a) - rank(b));
}
export type CallGoals = Awaited<ReturnType<typeof fetchGoals>>[number];

export const useCallGoals = () =>
  useLiveQuery([], dispatchKey, { queryKey: [...dispatchKey, 'goals'], queryFn: fetchGoals });

type GoalMinutes = Omit<CallGoals, 'priority'>;

async function saveGoals({ id, ...minutes }: GoalMinutes): Promise<void> {
  await supabase().from('call_goals').update(minutes).eq('id', id).throwOnError();
}

type NewCall = {
  id: string;
  kind: string;
  priority: string;
  siteId: string | undefined;
  address: string;
  gps: string;
  callerName: string;
  callerPhone: string;
  details: string;
  /** `updated_at` of the version on screen; undefined for a new call. */
  seen?: string | undefined;
};

const given = (text: string): string | undefined => text.trim() || undefined;

async function saveCall(call: NewCall): Promise<void> {
  const [address, gps, name] = [given(call.address), given(call.gps), given(call.callerName)];
  const [phone, details] = [given(call.callerPhone), given(call.details)];
  await supabase()
    .rpc('save_call', {
      p_id: call.id,
      p_kind: call.kind,
      p_priority: call.priority,
      ...(call.siteId !== undefined && { p_site_id: call.siteId }),
      ...(address !== undefined && { p_address: address }),
      ...(gps !== undefined && { p_gps: gps }),
      ...(name !== undefined && { p_caller_name: name }),
      ...(phone !== undefined && { p_caller_phone: phone }),
      ...(details !== undefined && { p_details: details }),
      ...(call.seen !== undefined && { p_seen: call.seen }),
    })
    .throwOnError();
}

type NewUnit = {
  id: string;
  callSign: string;
  vehicle: string;
  siteId: string | undefined;
  gps: string;
  members: string[];
  seen?: string | undefined;
};

async function saveUnit(unit: NewUnit): Promise<void> {
  const [vehicle, gps] = [given(unit.vehicle), given(unit.gps)];
  await supabase()
    .rpc('save_unit', {
      p_id: unit.id,
      p_call_sign: unit.callSign,
      p_members: unit.members,
      ...(vehicle !== undefined && { p_vehicle: vehicle }),
      ...(unit.siteId !== undefined && { p_site_id: unit.siteId }),
      ...(gps !== undefined && { p_base_gps: gps }),
      ...(unit.seen !== undefined && { p_seen: unit.seen }),
    })
    .throwOnError();
}

async function setService({ id, isIn, note }: { id: string; isIn: boolean; note: string }) {
  await supabase()
    .rpc('set_unit_service', { p_id: id, p_in_service: isIn, ...(note && { p_note: note }) })
    .throwOnError();
}

async function deleteUnit(id: string): Promise<void> {
  await supabase().rpc('delete_unit', { p_id: id }).throwOnError();
}

async function assign({ callId, unitId }: { callId: string; unitId: string }): Promise<void> {
  await supabase().rpc('assign_unit', { p_call_id: callId, p_unit_id: unitId }).throwOnError();
}

async function takeOff(assignedId: string): Promise<void> {
  await supabase().rpc('take_off_unit', { p_assigned_id: assignedId }).throwOnError();
}

/** What a unit says by radio. */
async function recordStep({ assignedId, kind }: { assignedId: string; kind: string }) {
  await supabase()
    .rpc('record_unit_step', {
      p_id: crypto.randomUUID(),
      p_assigned_id: assignedId,
      p_kind: kind,
    })
    .throwOnError();
}

async function addNote({ id, callId, note }: { id: string; callId: string; note: string }) {
  await supabase()
    .rpc('add_call_note', { p_id: id, p_call_id: callId, p_note: note })
    .throwOnError();
}

async function closeCall({ id, outcome, note }: { id: string; outcome: string; note: string }) {
  await supabase()
    .rpc('close_call', { p_call_id: id, p_outcome: outcome, ...(note && { p_note: note }) })
    .throwOnError();
}

async function cancelCall({ id, note }: { id: string; note: string }): Promise<void> {
  await supabase().rpc('cancel_call', { p_call_id: id, p_note: note }).throwOnError();
}

async function reopenCall(id: string): Promise<void> {
  await supabase().rpc('reopen_call', { p_call_id: id }).throwOnError();
}

export const useSaveGoals = () => useChange(dispatchKey, saveGoals);
export const useSaveCall = () => useChange(dispatchKey, saveCall);
export const useSaveUnit = () => useChange(dispatchKey, saveUnit);
export const useSetService = () => useChange(dispatchKey, setService);
export const useDeleteUnit = () => useChange(dispatchKey, deleteUnit);
export const useAssign = () => useChange(dispatchKey, assign);
export const useTakeOff = () => useChange(dispatchKey, takeOff);
export const useRecordStep = () => useChange(dispatchKey, recordStep);
export const useAddCallNote = () => useChange(dispatchKey, addNote);
export const useCloseCall = () => useChange(dispatchKey, closeCall);
export const useCancelCall = () => useChange(dispatchKey, cancelCall);
export const useReopenCall = () => useChange(dispatchKey, reopenCall);
