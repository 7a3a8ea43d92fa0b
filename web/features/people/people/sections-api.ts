// The sections of a person's page. Each loads by itself; row-level security decides what it contains.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { leaveBalance } from '#shared/leave-entitlement.ts';
import { peopleKey } from '#web/lib/data/keys.ts';
import { fromLocalInput, today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { VALIDITIES } from '#web/lib/vocabulary/statuses.ts';

/** Rows of a section; the lists show all. */
const SHOWN = 5;

/** @returns the Monday of this week, yyyy-MM-dd */
export const thisMonday = () => findMonday(today());

const midnight = (day: string) => fromLocalInput(`${day}T00:00`) ?? day;

const DUTY = `id, status, role_at_shift, attendance_state, on_leave, no_show_reason,
  shift:shifts!inner(id, start_time, end_time, site:sites!inner(id, name, address, timezone)),
  attendance(clock_in_at, clock_out_at)` as const;

async function fetchDuties(id: string, from: string, until: string) {
  const { data } = await supabase()
    .from('assignments')
    .select(DUTY)
    .eq('user_id', id)
    .gte('shift.start_time', from)
    .lt('shift.start_time', until)
    // No guard starts before the shift: this finds them by the index.
    .gte('starts_at', from)
    .order('starts_at')
    .order('id')
    .limit(50)
    .throwOnError();
  return data;
}

export type Duty = Awaited<ReturnType<typeof fetchDuties>>[number];

const DUTY_TABLES = ['assignments', 'attendance'] as const;
const dutiesKey = [...peopleKey, 'duties'] as const;

/** @param monday yyyy-MM-dd */
export function useWeek(id: string, monday: string) {
  return useQuery({
    queryKey: [...dutiesKey, id, monday],
    queryFn: () => fetchDuties(id, midnight(monday), midnight(dayAfter(monday, 7))),
    placeholderData: keepPreviousData,
  });
}

/** From yesterday, because a night shift may still be running, to two weeks ahead, for the next duty. */
export function useNearDuties(id: string) {
  useLiveTable(DUTY_TABLES, dutiesKey);
  const day = today();
  return useQuery({
    queryKey: [...dutiesKey, id, 'near', day],
    queryFn: () => fetchDuties(id, midnight(dayAfter(day, -1)), midnight(dayAfter(day, 15))),
  });
}

async function fetchLeave(id: string) {
  const [requests, counted, hired] = await Promise.all([
    supabase()
      .from('leave_requests')
      .select('id, type, start_date, end_date, status')
      .eq('user_id', id)
      .order('start_date', { ascending: false })
      .order('id')
      .limit(SHOWN)
      .throwOnError(),
    supabase()
      .from('leave_requests')
      .select('type, status, start_date, end_date')
      .eq('user_id', id)
      .in('status', ['approved', 'pending'])
      .throwOnError(),
    supabase().rpc('hired_on', { p_user_id: id }).throwOnError(),
  ]);
  const balance = leaveBalance('annual', today(), hired.data, counted.data);
  return { requests: requests.data, balance };
}

export const useLeaveOf = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'leave'], queryFn: () => fetchLeave(id) });

type Certificate = {
  id: string;
  certificate_number: string | null;
  expires_at: string;
  /** Computed by the database, so the generated types lack it. */
  validity: (typeof VALIDITIES)[number];
  course: { title: string };
};

async function fetchCertificates(id: string) {
  const { data } = await supabase()
    .from('certifications')
    .select('id, certificate_number, expires_at, validity, course:training_courses!inner(title)')
    .eq('user_id', id)
    .order('expires_at')
    .order('id')
    .returns<Certificate[]>()
    .throwOnError();
  return data;
}

export const useCertificatesOf = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'certificates'], queryFn: () => fetchCertificates(id) });

async function fetchIncidents(id: string) {
  const { data } = await supabase()
    .from('incidents')
    .select('id, title, severity, status, created_at, site:sites(name)')
    .eq('raised_by_user_id', id)
    .order('created_at', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const useIncidentsOf = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'incidents'], queryFn: () => fetchIncidents(id) });

async function fetchDeployments(id: string) {
  const { data } = await supabase()
    .from('deployments')
    .select('id, location, client_name, shift_start, shift_end, status')
    .eq('guard_id', id)
    .order('shift_start', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const useDeploymentsOf = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'deployments'], queryFn: () => fetchDeployments(id) });

async function fetchPay(staffId: string) {
  const { data } = await supabase()
    .from('payroll')
    .select(
      'id, period_start, period_end, net_amount, currency, payment_date, payment_status, returned_on',
    )
    .eq('staff_id', staffId)
    .order('period_start', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const usePayOf = (staffId: string) =>
  useQuery({ queryKey: [...peopleKey, staffId, 'pay'], queryFn: () => fetchPay(staffId) });

const HISTORY_SHOWN = 10;

/** The profile, staff record and roles; and certificates and leave, which are found through the person. */
async function fetchHistory(id: string, staffId: string | undefined) {
  const [certificates, leave, roles] = await Promise.all([
    supabase().from('certifications').select('id').eq('user_id', id).throwOnError(),
    supabase().from('leave_requests').select('id').eq('user_id', id).throwOnError(),
    supabase().from('user_roles').select('id').eq('user_id', id).throwOnError(),
  ]);
  const others = [...certificates.data, ...leave.data, ...roles.data].map((row) => row.id);
  const { data } = await supabase()
    .from('audit_log')
    .select('id, at, actor_id, actor_email, action, table_name, old_values, new_values')
    .in('row_id', [id, ...(staffId === undefined ? [] : [staffId]), ...others.slice(0, 100)])
    .order('at', { ascending: false })
    .order('id')
    .limit(HISTORY_SHOWN)
    .throwOnError();
  return data;
}

export const useHistoryOf = (id: string, staffId: string | undefined) =>
  useQuery({
    queryKey: [...peopleKey, id, 'history', staffId],
    queryFn: () => fetchHistory(id, staffId),
  });

async function fetchTimesheets(id: string) {
  const { data } = await supabase()
    .from('timesheets')
    .select('id, period_start, period_end, status, open_issues')
    .eq('user_id', id)
    .order('period_start', { ascending: false })
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const useTimesheetsOf = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'timesheets'], queryFn: () => fetchTimesheets(id) });
